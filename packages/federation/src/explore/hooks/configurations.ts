/** Reads the two webhook configurations into hooks. A stored one may be invalid: calls of its webhook fail then. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AnyObject } from '../../api/objects.ts';
import { decodeBase64 } from './base64.ts';
import type { Codec, FailurePolicy, Hook, HookClient, HookRule, RuledKinds } from './hook-model.ts';
import { operationsNamed } from './operation-names.ts';

/** Of both reviews, the first that a configuration names is used. */
export const knownVersions: readonly string[] = ['v1alpha1'];

export const defaultTimeoutSeconds = 10;
export const longestTimeoutSeconds = 30;
export const defaultPort = 443;

export const versionsField: Record<Codec, string> = {
  explore: 'exploreReviewVersions',
  interpret: 'interpreterContextVersions',
};

/** Undefined for an object of another kind. */
export function codecOf({ apiVersion, kind }: { apiVersion: string; kind: string }): Codec | undefined {
  if (!apiVersion.startsWith('config.karmada.io/')) return undefined;
  if (kind === 'ResourceExploringWebhookConfiguration') return 'explore';
  return kind === 'ResourceInterpreterWebhookConfiguration' ? 'interpret' : undefined;
}

export function readHooks(configuration: AnyObject): Hook[] {
  const codec = codecOf(configuration);
  if (!codec) return [];
  return recordsIn(configuration['webhooks']).map((webhook) => readHook(configuration.metadata.name, codec, webhook));
}

const readHook = (configuration: string, codec: Codec, webhook: Record<string, unknown>): Hook => ({
  configuration,
  name: textOf(webhook['name']) ?? '',
  codec,
  client: readClient(webhook['clientConfig']),
  rules: recordsIn(webhook['rules']).map((rule) => readRule(codec, rule)),
  failurePolicy: readPolicy(codec, webhook['failurePolicy']),
  timeoutSeconds: readTimeout(webhook['timeoutSeconds']),
  version: textsIn(webhook[versionsField[codec]]).find((version) => knownVersions.includes(version)),
});

/** Karmada's kind has no such field, and acts as `Fail` (EXP-2). */
const readPolicy = (codec: Codec, policy: unknown): FailurePolicy =>
  codec === 'explore' && policy === 'Ignore' ? 'Ignore' : 'Fail';

function readTimeout(seconds: unknown): number {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return defaultTimeoutSeconds;
  return Math.max(1, Math.min(seconds, longestTimeoutSeconds));
}

function readRule(codec: Codec, rule: Record<string, unknown>): HookRule {
  return {
    operations: operationsNamed(codec, textsIn(rule['operations'])),
    groups: textsIn(rule['apiGroups']),
    versions: textsIn(rule['apiVersions']),
    what: codec === 'explore' ? readResources(rule) : { by: 'kind', kinds: textsIn(rule['kinds']) },
  };
}

function readResources({ resources, scope }: Record<string, unknown>): RuledKinds {
  const isOne = scope === 'Cluster' || scope === 'Namespaced';
  return { by: 'resource', resources: textsIn(resources), scope: isOne ? scope : '*' };
}

/** Undefined where it has not exactly one of url and service, or a caBundle that cannot be decoded: no call may trust less than asked. */
function readClient(config: unknown): HookClient | undefined {
  if (!isRecord(config)) return undefined;
  const { url, service, caBundle } = config;
  const ca = typeof caBundle === 'string' && caBundle !== '' ? decodeBase64(caBundle)?.toString() : undefined;
  if (ca === undefined && !isEmpty(caBundle)) return undefined;
  const trust = ca === undefined ? {} : { ca };
  if (typeof url === 'string') return service == null ? { at: 'url', url, ...trust } : undefined;
  if (!isRecord(service)) return undefined;
  const { namespace, name, port, path } = service;
  if (typeof namespace !== 'string' || typeof name !== 'string' || !namespace || !name) return undefined;
  const number = typeof port === 'number' ? port : defaultPort;
  return { at: 'service', namespace, name, port: number, path: textOf(path) ?? '', ...trust };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);
