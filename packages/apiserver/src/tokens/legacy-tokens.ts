/** Secrets of type service-account-token: filled with a token that does not expire, and deleted with their account. */

import { timingSafeEqual } from 'node:crypto';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { TokenAuthenticator } from '../authn/authenticate.ts';
import { accountGroups, accountUser } from '../authn/user.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { keyOf, LiveCopy } from '../registry/live-copy.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { type AccountTokensOptions, audiencesOf } from './account-tokens.ts';
import { type Claims, signJwt, verifyJwt } from './jwt.ts';
import type { SigningKey } from './signing-key.ts';

const issuer = 'kubernetes/serviceaccount';
const prefix = 'kubernetes.io/serviceaccount/';
const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';
const secretType = 'kubernetes.io/service-account-token';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const dataOf = ({ data }: KubeObject): Partial<Record<string, string>> =>
  (data ?? {}) as Partial<Record<string, string>>;

const claimOf = (claims: Claims, name: string): string => String(claims[`${prefix}${name}`] ?? '');

/** Such a token is valid as long as its Secret contains it. */
export function legacyTokens({ key, apiAudiences, lookup }: AccountTokensOptions): TokenAuthenticator {
  return {
    async authenticate(token, requested) {
      const claims = verifyJwt(token, key, [issuer]);
      if (!claims) return undefined;
      const audiences = audiencesOf(claims, apiAudiences, requested);
      const namespace = claimOf(claims, 'namespace');
      const name = claimOf(claims, 'service-account.name');
      const uid = claimOf(claims, 'service-account.uid');
      if (claims.sub !== accountUser({ namespace, name })) throw new Error('sub claim is invalid');
      const secret = await lookup('secrets', claimOf(claims, 'secret.name'), namespace).catch(() => undefined);
      if (!secret || secret.metadata.deletionTimestamp) throw new Error('Token has been invalidated');
      const kept = Buffer.from(dataOf(secret)['token'] ?? '', 'base64');
      const shown = Buffer.from(token);
      if (kept.length !== shown.length || !timingSafeEqual(kept, shown))
        throw new Error("Token does not match server's copy");
      const { metadata } = await lookup('serviceaccounts', name, namespace);
      if (metadata.deletionTimestamp) throw new Error(`ServiceAccount ${namespace}/${name} has been deleted`);
      if (metadata.uid !== uid) throw new Error(`ServiceAccount UID (${metadata.uid}) does not match claim (${uid})`);
      const user = { name: accountUser({ namespace, name }), uid, groups: accountGroups(namespace), extra: {} };
      return { user, audiences };
    },
  };
}

export interface LegacyTokenOptions {
  secrets: ObjectRegistry;
  accounts: ObjectRegistry;
  key: SigningKey;
  /** PEM. */
  rootCa: string;
  onError(error: unknown): void;
}

/** Fills Secrets, and deletes those without an account. */
export function fillLegacyTokens({ secrets, accounts, key, rootCa, onError }: LegacyTokenOptions): AsyncDisposable {
  const fields = [{ field: 'type', value: secretType, equal: true }];
  const settle = async (secret: KubeObject): Promise<void> => {
    const { name = '', namespace = '', uid = '', annotations = {} } = secret.metadata;
    const account = live.accounts.get(annotations[nameKey] ?? '', namespace);
    const isOther = annotations[uidKey] && account && annotations[uidKey] !== account.metadata.uid;
    if (!account || isOther) {
      // Its account may just not be in the cache yet: the store is authoritative.
      const stored = await accounts.get(annotations[nameKey] ?? '', { namespace }).catch(() => undefined);
      if (!stored || isOther) await secrets.delete(name, { namespace, preconditions: { uid } });
      return;
    }
    const { token, namespace: storedNamespace, 'ca.crt': ca } = dataOf(secret);
    if (token && storedNamespace && ca === base64(rootCa) && annotations[uidKey]) return;
    await secrets.update(name, { namespace, uid }, (old) => filled(old!, account));
  };

  const filled = (secret: KubeObject, account: KubeObject): KubeObject => {
    const { name = '', namespace = '' } = secret.metadata;
    const { name: accountName = '', uid = '' } = account.metadata;
    const claims: Claims = {
      iss: issuer,
      [`${prefix}namespace`]: namespace,
      [`${prefix}secret.name`]: name,
      [`${prefix}service-account.name`]: accountName,
      [`${prefix}service-account.uid`]: uid,
      sub: accountUser({ namespace, name: accountName }),
    };
    const token = dataOf(secret)['token'] ?? base64(signJwt(claims, key));
    return {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [uidKey]: uid } },
      data: { ...dataOf(secret), 'ca.crt': base64(rootCa), namespace: base64(namespace), token },
    };
  };

  const work = async ({ name, namespace }: KubeObject['metadata']): Promise<boolean> => {
    const secret = live.secrets.get(name!, namespace);
    try {
      if (secret) await settle(secret);
      return true;
    } catch (error) {
      // Deleted, or changed since it was seen.
      if (error instanceof StatusError && error.code === 404) return true;
      if (error instanceof StatusError && error.code === 409) return false;
      throw error;
    }
  };
  const queue = new WorkQueue({ work, onError });
  const look = (secret: KubeObject): void => queue.add(keyOf(secret), secret.metadata);

  const ofAccount = ({ metadata }: KubeObject): KubeObject[] =>
    [...live.secrets.values()].filter(
      (secret) =>
        secret.metadata.namespace === metadata.namespace && secret.metadata.annotations?.[nameKey] === metadata.name,
    );
  const live = {
    secrets: new LiveCopy({
      registry: secrets,
      selection: { fields },
      onChange: (now) => {
        if (now) void live.accounts.synced.then(() => look(now));
      },
      onError,
    }),
    accounts: new LiveCopy({
      registry: accounts,
      onChange: (now, before) => {
        for (const secret of ofAccount((now ?? before)!)) look(secret);
      },
      onError,
    }),
  };
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([live.secrets, live.accounts].map((copy) => copy[Symbol.asyncDispose]()));
      await queue[Symbol.asyncDispose]();
    },
  };
}
