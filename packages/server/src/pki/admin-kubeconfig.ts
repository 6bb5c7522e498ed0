/** Writes the admin kubeconfig at a start: updates the server's own entries, and keeps everything else. */

import type { KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { type Kubeconfig, singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import { parse, stringify } from 'yaml';

interface Entry {
  name: string;
}

/** The names of the cluster, the user and the context that the server writes. */
const own = 'fleet';

/** `kept`: the existing kubeconfig; undefined if there is none, or it is invalid. */
export function adminKubeconfig(kept: Kubeconfig | undefined, server: string, ca: string, admin: KeyPair): string {
  const text = singleKubeconfig(own, server, ca, admin);
  if (!kept) return text;
  const fresh = parse(text) as Required<Kubeconfig>;
  const { cluster: here } = fresh.clusters[0]!;
  const before = kept.clusters?.find(({ name }) => name === own)?.cluster.server;
  // `fleet use` adds clusters whose URLs begin with the server's old address.
  const isHere = (url: string) => before !== undefined && (url === before || url.startsWith(`${before}/`));
  const moved = (kept.clusters ?? []).map(({ name, cluster }) =>
    isHere(cluster.server)
      ? { name, cluster: { ...cluster, ...here, server: server + cluster.server.slice(before!.length) } }
      : { name, cluster },
  );
  const contexts = withDefault(kept.contexts, fresh.contexts[0]!);
  const current = kept['current-context'];
  return stringify({
    ...fresh,
    ...kept,
    'current-context': contexts.some(({ name }) => name === current) ? current : own,
    clusters: withDefault(moved, fresh.clusters[0]!),
    users: withDefault(
      kept.users?.map((one) => (one.name === own ? fresh.users[0]! : one)),
      fresh.users[0]!,
    ),
    contexts,
  });
}

const withDefault = <T extends Entry>(list: readonly T[] | undefined, one: T): T[] =>
  list?.some(({ name }) => name === one.name) ? [...list] : [one, ...(list ?? [])];

/** A kubeconfig that can be read and kept; undefined otherwise. */
export function readKubeconfig(text: string): Kubeconfig | undefined {
  try {
    const config: unknown = parse(text);
    return isKubeconfig(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

const isList = (value: unknown, field: string): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) &&
    value.every((one) => isRecord(one) && typeof one['name'] === 'string' && isRecord(one[field])));

const isKubeconfig = (config: unknown): config is Kubeconfig =>
  isRecord(config) &&
  isList(config['clusters'], 'cluster') &&
  isList(config['users'], 'user') &&
  isList(config['contexts'], 'context');
