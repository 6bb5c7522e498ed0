/** The version of a merged list: a map cluster -> version, opaque to clients (RV-2). */

import { badRequest } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';

/** Null: of this cluster's initial objects a part was sent, so that nobody can resume there. */
export type VersionMap = ReadonlyMap<ClusterName, string | null>;

/** Keys are sorted because clients compare versions as text; an object would put those that are numbers first. */
export function combineVersions(versions: VersionMap): string {
  const sorted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1));
  const members = sorted.map(([cluster, version]) => `${JSON.stringify(cluster)}:${JSON.stringify(version)}`);
  return Buffer.from(`{${members.join(',')}}`).toString('base64url');
}

export type ReadVersion =
  /** `"0"`: of any age. */
  | { is: 'any' }
  /** `""`: with all that was written before. */
  | { is: 'latest' }
  | { is: 'plain'; version: string }
  /** `partlySent`: a cluster of which a part was sent; it has no entry in `of`. */
  | { is: 'map'; of: ReadonlyMap<ClusterName, string>; partlySent?: ClusterName | undefined };

/** A version that a client sent: a map of ours, a plain decimal of one object, or `""` and `"0"`. 400 for anything else. */
export function readVersion(text: string): ReadVersion {
  if (text === '') return { is: 'latest' };
  if (text === '0') return { is: 'any' };
  if (/^\d+$/.test(text)) return { is: 'plain', version: text };
  const entries = entriesOf(text);
  if (!entries) throw badRequest(`resourceVersion: "${text}" is neither a number nor a version of a merged list`);
  return { is: 'map', of: versionsIn(entries), partlySent: entries.find(([, version]) => version === null)?.[0] };
}

/** Undefined for what is no version of a merged list. A cluster that was sent in part has no entry. */
export function mapOf(text: string): ReadonlyMap<ClusterName, string> | undefined {
  const entries = entriesOf(text);
  return entries && versionsIn(entries);
}

type Entry = [ClusterName, string | null];

const isVersion = (entry: Entry): entry is [ClusterName, string] => entry[1] !== null;

const versionsIn = (entries: readonly Entry[]) => new Map(entries.filter(isVersion));

function entriesOf(text: string): Entry[] | undefined {
  // Versions of members, which most requests have, are decimals: no text of JSON begins with what a digit stands for.
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
 * A version in a write to one cluster: a merged one is replaced by that cluster's entry, any other goes on as it is (RV-5).
 * Undefined for a merged one without that entry: the write must not become an unconditional one.
 */
export function ownVersion(text: string, cluster: ClusterName): string | undefined {
  const entries = mapOf(text);
  return entries ? entries.get(cluster) : text;
}
