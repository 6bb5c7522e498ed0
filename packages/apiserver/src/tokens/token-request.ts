/** Serves `serviceaccounts/{name}/token`: issues a token for a ServiceAccount (TokenRequest). */

import { badRequest } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { type FieldError, invalidValue } from '../errors/field-error.ts';
import { conflict, invalid } from '../errors/refusals.ts';
import { type AnsweredResource, answeredReader, passingKind } from '../http/answered-resource.ts';
import type { Call } from '../http/verb.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { AccountTokensOptions, Lookup } from './account-tokens.ts';
import { type BoundTo, claimsFor, referenceTo } from './bound-claims.ts';
import { signJwt } from './jwt.ts';

interface BoundObjectRef {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}

interface TokenSpec {
  audiences: readonly string[];
  expirationSeconds: number;
  boundObjectRef: BoundObjectRef | null;
}

const group = 'authentication.k8s.io';
const kind = passingKind({ group, version: 'v1', kind: 'TokenRequest', namespaced: true });

const oneHour = 3_600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;

function lifetimeErrors(seconds: number): FieldError[] {
  const refuse = (why: string) => [invalidValue('spec.expirationSeconds', seconds, why)];
  if (seconds < leastSeconds) return refuse('may not specify a duration less than 10 minutes');
  return seconds > mostSeconds ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

export function tokenRequests({ key, issuer, apiAudiences, lookup }: AccountTokensOptions): AnsweredResource {
  const read = answeredReader(kind, {
    subresource: 'token',
    complete: (object) => ({
      ...object,
      spec: { expirationSeconds: oneHour, ...(object['spec'] as object | undefined) },
    }),
  });

  const issue = async (given: KubeObject, { ask }: Call): Promise<object> => {
    const [name, namespace] = [ask.name!, ask.namespace!];
    const account = await accountFor(given, name, namespace, lookup);
    const spec = completed(given, apiAudiences);
    const errors = lifetimeErrors(spec.expirationSeconds);
    if (errors.length > 0) throw invalid(kind, '', errors);
    const boundTo = spec.boundObjectRef ? await bindTo(spec.boundObjectRef, account, lookup) : {};
    const now = Math.floor(Date.now() / 1000);
    const { audiences, expirationSeconds } = spec;
    const token = signJwt(claimsFor({ account, boundTo, issuer, audiences, expirationSeconds, now }), key);
    const { uid } = account.metadata;
    const metadata = { ...given.metadata, name, namespace, uid, creationTimestamp: timeText(now * 1000) };
    const status = { token, expirationTimestamp: timeText((now + expirationSeconds) * 1000) };
    return { kind: 'TokenRequest', apiVersion: `${group}/v1`, metadata, spec, status };
  };

  return {
    at: { group: '', version: 'v1', resource: 'serviceaccounts', subresource: 'token' },
    kind,
    read,
    answer: issue,
  };
}

function completed({ spec }: KubeObject, apiAudiences: readonly string[]): TokenSpec {
  const { audiences = [], expirationSeconds = oneHour, boundObjectRef = null } = spec as Partial<TokenSpec>;
  return { audiences: audiences.length > 0 ? audiences : apiAudiences, expirationSeconds, boundObjectRef };
}

async function accountFor(given: KubeObject, name: string, namespace: string, lookup: Lookup): Promise<KubeObject> {
  const { metadata } = given;
  const refuse = (field: string, value: string) =>
    invalid(kind, name, [
      invalidValue(`metadata.${field}`, value, `must match the service account ${field} if specified`),
    ]);
  if (metadata.name && metadata.name !== name) throw refuse('name', metadata.name);
  if (metadata.namespace && metadata.namespace !== namespace) throw refuse('namespace', metadata.namespace);
  const account = await lookup('serviceaccounts', name, namespace);
  const { uid } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict({ group, resource: 'TokenRequest' }, name, why);
  }
  return account;
}

async function bindTo(ref: BoundObjectRef, account: KubeObject, lookup: Lookup): Promise<BoundTo> {
  const { kind: what = '', apiVersion = '', name = '' } = ref;
  const { name: accountName, namespace } = account.metadata;
  const [of, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = async (resource: string, within?: string): Promise<KubeObject> => {
    const object = await lookup(resource, name, within);
    if (!ref.uid || ref.uid === object.metadata.uid) return object;
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: what }, name, why);
  };
  switch (of === '' ? what : '') {
    case 'Secret':
      return { secret: referenceTo(await found('secrets', namespace)) };
    case 'Node':
      return { node: referenceTo(await found('nodes')) };
    case 'Pod': {
      const pod = await found('pods', namespace);
      const { serviceAccountName, nodeName } = (pod['spec'] ?? {}) as {
        serviceAccountName?: string;
        nodeName?: string;
      };
      if (serviceAccountName !== accountName) {
        throw badRequest(
          `cannot bind token for serviceaccount "${accountName}" to pod running with different serviceaccount name.`,
        );
      }
      const node = nodeName ? await lookup('nodes', nodeName).catch(() => undefined) : undefined;
      return { pod: referenceTo(pod), ...(node ? { node: referenceTo(node) } : {}) };
    }
    default:
      throw badRequest(`cannot bind token to object of type ${of}/${version}, Kind=${what}`);
  }
}
