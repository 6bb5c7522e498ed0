/** The query of a merged list, without the paging and versions that apply between the client and this server. */

import { badRequest, expired } from '@fleet/kube/status.ts';
import { type ReadVersion, readVersion } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
import { readSelection, type Selection } from './selection.ts';

/** Parameters that are not sent to members unchanged. */
const ours = new Set(['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'pretty', 'watch', 'timeout']);

/** The state of a member's objects that is requested. */
export type ListedAt =
  /** Of any age: `resourceVersion=0`. */
  | { is: 'any' }
  /** With everything that was written before. */
  | { is: 'latest' }
  | { is: 'not-older' | 'exact'; version: string }
  /** From the position of the member's own continue token, in the token's state. */
  | { is: 'after'; token: string };

/** The query of one member. */
export interface MemberQuery {
  /** The maximum number of items; undefined: all. */
  limit: number | undefined;
  /** The client's own `timeout`, in milliseconds. */
  timeout: number | undefined;
  selection: Selection;
  at: ListedAt;
}

export interface ListQuery {
  /** The maximum number of items in the client's answer; undefined: all. */
  limit: number | undefined;
  /** The continue token of a merged list. */
  continueToken: string | undefined;
  /** Throws for a version beside a token. Called after the token is checked, so that an invalid token is reported first. */
  refuseVersionBesideToken(): void;
  /** What selects the items: a continue token is valid for the same selection only. */
  selection: string;
  /** Whether the client requests a version that has no entry for the cluster. */
  lacks(cluster: ClusterName): boolean;
  /** Reads a member at least as new as the client requests. */
  begin(cluster: ClusterName, limit?: number): MemberQuery;
  /** Reads a member at exactly this version. An empty version, which some aggregated APIs return, is no version. */
  at(version: string, limit?: number): MemberQuery;
  /** Reads a member from the position of its own continue token. */
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
  // A limit and a version without a match have always meant exactly this version.
  const how = match === 'Exact' || (match === '' && limit !== undefined) ? 'exact' : 'not-older';
  const otherwise: ListedAt = { is: version.is === 'any' ? 'any' : 'latest' };
  const versioned = (is: 'exact' | 'not-older', entry: string): ListedAt =>
    entry === '' ? otherwise : { is, version: entry };
  return {
    // With `resourceVersion=0`, kube-apiserver ignores the limit.
    limit: version.is === 'any' ? undefined : limit,
    continueToken: continueToken || undefined,
    selection: JSON.stringify([selection.labelSelector, selection.fieldSelector]),
    lacks: (cluster) => match === 'Exact' && entryOf(cluster) === undefined,
    begin: (cluster, limit) => asking(limit, versioned(how, entryOf(cluster) ?? '')),
    at: (entry, limit) => asking(limit, versioned('exact', entry)),
    after: (token, limit) => asking(limit, { is: 'after', token }),
  };
}

/** Of all objects, before a watch's events. */
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

/** Exactly this version cannot be served: the client's map has no entry for the cluster. */
export const tooOld = (cluster?: ClusterName) =>
  expired(
    `The resourceVersion for the provided list is too old${cluster === undefined ? '.' : `: it does not name cluster "${cluster}".`}`,
  );
