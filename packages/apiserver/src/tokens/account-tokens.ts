/** Authenticates tokens of ServiceAccounts. */

import type { TokenAnswer, TokenAuthenticator } from '../authn/authenticate.ts';
import { accountGroups, accountUser } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { type BoundClaims, boundClaims, type Reference } from './bound-claims.ts';
import { type Claims, verifyJwt } from './jwt.ts';
import type { SigningKey } from './signing-key.ts';

/** For the core group. Throws 404. */
export type Lookup = (resource: string, name: string, namespace?: string) => Promise<KubeObject>;

export interface AccountTokensOptions {
  key: SigningKey;
  issuer: string;
  /** The audiences of tokens that name none. */
  apiAudiences: readonly string[];
  lookup: Lookup;
}

/** In seconds: clocks differ, and a deleted account may still be used for cleaning up. */
const leewaySeconds = 60;

const listOf = (value: Claims['aud']): readonly string[] => (typeof value === 'string' ? [value] : (value ?? []));

/** The requested audiences for which a token is valid; a token without audiences is for the server only. Throws if there is none. */
export function audiencesOf(
  { aud }: Claims,
  apiAudiences: readonly string[],
  requested: readonly string[] = apiAudiences,
): readonly string[] {
  const named = listOf(aud);
  const given = named.length > 0 ? named : apiAudiences;
  const audiences = given.filter((one) => requested.includes(one));
  if (audiences.length > 0) return audiences;
  const texts = [given, requested].map((list) => `[${list.map(quoted).join(' ')}]`);
  throw new Error(`token audiences ${texts[0]} is invalid for the target audiences ${texts[1]}`);
}

export function accountTokens({ key, issuer, apiAudiences, lookup }: AccountTokensOptions): TokenAuthenticator {
  return {
    async authenticate(token, requested): Promise<TokenAnswer | undefined> {
      const claims = verifyJwt(token, key, [issuer]);
      if (!claims) return undefined;
      const audiences = audiencesOf(claims, apiAudiences, requested);
      refuseByTime(claims);
      const bound = claims[boundClaims] as BoundClaims;
      await refuseIfGone(bound, lookup);
      return { user: userOf(bound, claims.jti), audiences };
    },
  };
}

function refuseByTime({ exp, nbf, iat }: Claims): void {
  const now = Date.now() / 1000;
  if (nbf !== undefined && now + leewaySeconds < nbf) throw new Error('service account token is not valid yet');
  if (exp !== undefined && now - leewaySeconds > exp) throw new Error('service account token has expired');
  if (iat !== undefined && now + leewaySeconds < iat) throw new Error('service account token is issued in the future');
}

const wasDeleted = ({ metadata: { deletionTimestamp } }: KubeObject): boolean =>
  deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < Date.now() - leewaySeconds * 1000;

async function refuseIfGone({ namespace, serviceaccount, secret, pod, node }: BoundClaims, lookup: Lookup) {
  const account = await lookup('serviceaccounts', serviceaccount.name, namespace);
  const { uid } = account.metadata;
  if (uid !== serviceaccount.uid)
    throw new Error(`service account UID (${uid}) does not match claim (${serviceaccount.uid})`);
  if (wasDeleted(account)) throw new Error(`service account ${namespace}/${serviceaccount.name} has been deleted`);
  if (secret) await refuseIfOther('secret', secret, () => lookup('secrets', secret.name, namespace));
  if (pod) await refuseIfOther('pod', pod, () => lookup('pods', pod.name, namespace));
  // The node of a pod is recorded in the token, but not checked.
  else if (node) await refuseIfOther('node', node, () => lookup('nodes', node.name));
}

async function refuseIfOther(what: string, { uid }: Reference, look: () => Promise<KubeObject>): Promise<void> {
  const invalidated = new Error('service account token has been invalidated');
  const object = await look().catch(() => {
    throw invalidated;
  });
  const { uid: now } = object.metadata;
  if (now !== uid) throw new Error(`${what} UID (${now}) does not match service account ${what} ref claim (${uid})`);
  if (wasDeleted(object)) throw invalidated;
}

const extraPrefix = 'authentication.kubernetes.io/';

function userOf(
  { namespace, serviceaccount, pod, node }: BoundClaims,
  tokenId: string | undefined,
): TokenAnswer['user'] {
  const extra: Record<string, string[]> = {};
  const add = (key: string, value: string | undefined) => {
    if (value) extra[`${extraPrefix}${key}`] = [value];
  };
  add('credential-id', tokenId && `JTI=${tokenId}`);
  add('pod-name', pod?.name);
  add('pod-uid', pod?.uid);
  add('node-name', node?.name);
  add('node-uid', node?.uid);
  return {
    name: accountUser({ namespace, name: serviceaccount.name }),
    uid: serviceaccount.uid,
    groups: accountGroups(namespace),
    extra,
  };
}
