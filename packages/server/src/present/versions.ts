/** The resource version of a merged list: a map from cluster to version, opaque to clients (RV-2). */

import { badRequest } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';

/** Null: a part of this cluster's initial objects was sent, so nobody can resume there. */
export type VersionMap = ReadonlyMap<ClusterName, string | null>;

/** Keys are sorted, as clients compare versions as text. Not written from an object, which would put numeric keys first. */
export function combineVersions(versions: VersionMap): string {
  const sorted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
  const members = sorted.map(([cluster, version]) => `${JSON.stringify(cluster)}:${JSON.stringify(version)}`);
  return Buffer.from(`{${members.join(',')}}`).toString('base64url');
}

export type ReadVersion =
  /** `"0"`: of any age. */
  | { is: 'any' }
  /** `""`: with everything that was written before. */
  | { is: 'latest' }
  | { is: 'plain'; version: string }
  /** `partlySent`: a cluster of which a part was sent; it has no entry in `of`. */
  | { is: 'map'; of: ReadonlyMap<ClusterName, string>; partlySent?: ClusterName | undefined };

/** Parses a client's version: a merged map, a decimal of one object, or `""` and `"0"`. 400 for anything else. */
export function readVersion(text: string): ReadVersion {
  if (text === '') return { is: 'latest' };
  if (text === '0') return { is: 'any' };
  if (/^\d+$/.test(text)) return { is: 'plain', version: text };
  const entries = entriesOf(text);
  if (!entries) throw badRequest(`resourceVersion: "${text}" is neither a number nor a version of a merged list`);
  return { is: 'map', of: versionsIn(entries), partlySent: entries.find(([, version]) => version === null)?.[0] };
}

/** Undefined if the text is not a merged version. A cluster that was sent in part has no entry. */
export function mapOf(text: string): ReadonlyMap<ClusterName, string> | undefined {
  const entries = entriesOf(text);
  return entries && versionsIn(entries);
}

type Entry = [ClusterName, string | null];

const isVersion = (entry: Entry): entry is [ClusterName, string] => entry[1] !== null;

const versionsIn = (entries: readonly Entry[]) => new Map(entries.filter(isVersion));

function entriesOf(text: string): Entry[] | undefined {
  // Members' versions, which most requests have, are decimals. The base64 of a JSON text never begins with a digit.
  if (!/^[a-zA-Z][\w-]*$/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    const entries = Object.entries(parsed);
    return entries.every(([, version]) => typeof version === 'string' || version === null)
      ? (entries as Entry[])
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The version for a write to one cluster: a merged one is replaced by that cluster's entry, any other stays as it is (RV-5).
 * Undefined for a merged one without that entry: the write must not become an unconditional one.
 */
export function ownVersion(text: string, cluster: ClusterName): string | undefined {
  const entries = mapOf(text);
  return entries ? entries.get(cluster) : text;
}
