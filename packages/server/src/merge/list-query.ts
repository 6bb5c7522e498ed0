/** What a merged list asks of each member: the client's query, with the paging and versions that are between us and it. */

import { badRequest, expired } from '@fleet/kube/status.ts';
import { type ReadVersion, readVersion } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
import { readSelection, type Selection } from './selection.ts';

/** Between the client and us, or said anew to each member. */
const ours = new Set(['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'pretty', 'watch', 'timeout']);

/** Which state of a member's objects is wanted. */
export type ListedAt =
  /** Of any age: `resourceVersion=0`. */
  | { is: 'any' }
  /** With all that was written before. */
  | { is: 'latest' }
  | { is: 'not-older' | 'exact'; version: string }
  /** From where its own continue token leads, in the state that the token is of. */
  | { is: 'after'; token: string };

/** What one member is asked for. */
export interface MemberQuery {
  /** How many items are wanted; undefined: all there are. */
  limit: number | undefined;
  /** The client's own `timeout`, in milliseconds. */
  timeout: number | undefined;
  selection: Selection;
  at: ListedAt;
}

export interface ListQuery {
  /** How many items the client wants in its answer; undefined: all there are. */
  limit: number | undefined;
  /** Leads to a page of ours. */
  continueToken: string | undefined;
  /** Throws for a version beside a token; what is wrong with the token itself is told first. */
  refuseVersionBesideToken(): void;
  /** What selects the items: a continue token is good for nothing else. */
  selection: string;
  /** Whether the client wants a version that the cluster has no part in. */
  lacks(cluster: ClusterName): boolean;
  /** A member read as new as the client wants it. */
  begin(cluster: ClusterName, limit?: number): MemberQuery;
  /** A member read just as it was; an empty version, which some aggregated APIs give, is no version. */
  at(version: string, limit?: number): MemberQuery;
  /** A member read from where its own continue token leads. */
  after(continueToken: string, limit?: number): MemberQuery;
}

export function readListQuery(query: string): ListQuery {
  const { resourceVersion, ...options } = readListOptions(new URLSearchParams(query));
  const isLater = options.continueToken !== '';
  const refuseVersionBesideToken = () => {
    if (!isLater || resourceVersion === '' || resourceVersion === '0') return;
    throw badRequest('specifying resource version is not allowed when using continue');
  };
  const version = readVersion(isLater ? '' : resourceVersion);
  return { ...listQueryOf({ ...options, version, selection: readSelection(query, ours) }), refuseVersionBesideToken };
}

export interface AskedList extends Omit<ListOptions, 'resourceVersion'> {
  version: ReadVersion;
  selection: Selection;
}

function listQueryOf(asked: AskedList): Omit<ListQuery, 'refuseVersionBesideToken'> {
  const { limit, continueToken, version, match, timeout, selection } = asked;
  if (match === 'Exact' && version.is !== 'map') throw tooOld();
  const asking = (limit: number | undefined, at: ListedAt): MemberQuery => ({ limit, timeout, selection, at });
  const entryOf = (cluster: ClusterName) => (version.is === 'map' ? version.of.get(cluster) : undefined);
  // A limit and a version, and nothing said of how they match, has always meant just this version.
  const how = match === 'Exact' || (match === '' && limit !== undefined) ? 'exact' : 'not-older';
  const otherwise: ListedAt = { is: version.is === 'any' ? 'any' : 'latest' };
  const versioned = (is: 'exact' | 'not-older', entry: string): ListedAt =>
    entry === '' ? otherwise : { is, version: entry };
  return {
    // From a cache that may be of any age, kube-apiserver gives all there is at once.
    limit: version.is === 'any' ? undefined : limit,
    continueToken: continueToken || undefined,
    selection: JSON.stringify([selection.labelSelector, selection.fieldSelector]),
    lacks: (cluster) => match === 'Exact' && entryOf(cluster) === undefined,
    begin: (cluster, limit) => asking(limit, versioned(how, entryOf(cluster) ?? '')),
    at: (entry, limit) => asking(limit, versioned('exact', entry)),
    after: (token, limit) => asking(limit, { is: 'after', token }),
  };
}

/** Of all there is, before a watch's events. */
export const initialListQuery = (version: ReadVersion, selection: Selection): ListQuery => ({
  ...listQueryOf({
    version,
    selection,
    match: 'NotOlderThan',
    limit: undefined,
    continueToken: '',
    timeout: undefined,
  }),
  refuseVersionBesideToken: () => {},
});

/** Just this version cannot be given: the client's names no version of the cluster. */
export const tooOld = (cluster?: ClusterName) =>
  expired(
    `The resourceVersion for the provided list is too old${cluster === undefined ? '.' : `: it does not name cluster "${cluster}".`}`,
  );
