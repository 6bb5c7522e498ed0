/** What a merged list asks of each member: the client's query, with the paging and versions that are between us and it. */

import { badRequest, expired } from '@fleet/kube/status.ts';
import { readVersion } from '../present/versions.ts';
import { keyOf } from '../target/query.ts';
import type { ClusterName } from '../target/target.ts';
import { readListOptions } from './list-options.ts';

/** Between the client and us, or said anew to each member. */
const ours = new Set(['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'pretty', 'watch', 'timeout']);

const withoutOurs = (query: string): string[] =>
  query.split('&').filter((pair) => pair !== '' && !ours.has(keyOf(pair)));

/** What one member is asked for. */
export interface MemberQuery {
  /** How many items are wanted; undefined: all there are. */
  limit: number | undefined;
  /** The client's own `timeout`, in milliseconds. */
  timeout: number | undefined;
  /** One request's query: so many items, from where it begins or from where the member's continue token leads. */
  page(size: number, continueToken?: string): string;
  /** The first page again, just as it was. */
  pageAt(version: string, size: number): string;
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
  const parameters = new URLSearchParams(query);
  const { limit, continueToken, resourceVersion, match, timeout } = readListOptions(parameters);
  const version = continueToken === '' ? readVersion(resourceVersion) : readVersion('');
  if (match === 'Exact' && version.is !== 'map') throw tooOld();
  const kept = withoutOurs(query);
  const asking = (limit: number | undefined, ...from: string[]): MemberQuery => ({
    limit,
    timeout,
    page: (size, token) =>
      [...kept, `limit=${size}`, ...(token ? [`continue=${encodeURIComponent(token)}`] : from)].join('&'),
    pageAt(version, size) {
      // A token says which version it is of.
      if (from[0]?.startsWith('continue=')) return this.page(size);
      const exact = [`resourceVersion=${encodeURIComponent(version)}`, 'resourceVersionMatch=Exact'];
      return [...kept, `limit=${size}`, ...exact].join('&');
    },
  });
  const versioned = (entry: string, how: string, limit: number | undefined): MemberQuery =>
    entry === ''
      ? asking(limit)
      : asking(limit, `resourceVersion=${encodeURIComponent(entry)}`, `resourceVersionMatch=${how}`);
  const entryOf = (cluster: ClusterName) => (version.is === 'map' ? version.of.get(cluster) : undefined);
  // A limit and a version, and nothing said of how they match, has always meant just this version.
  const how = match || (limit === undefined ? 'NotOlderThan' : 'Exact');
  return {
    // From a cache that may be of any age, kube-apiserver gives all there is at once.
    limit: resourceVersion === '0' && continueToken === '' ? undefined : limit,
    continueToken: continueToken || undefined,
    refuseVersionBesideToken: () => {
      if (continueToken === '' || resourceVersion === '' || resourceVersion === '0') return;
      throw badRequest('specifying resource version is not allowed when using continue');
    },
    selection: JSON.stringify([parameters.get('labelSelector') ?? '', parameters.get('fieldSelector') ?? '']),
    lacks: (cluster) => match === 'Exact' && entryOf(cluster) === undefined,
    begin: (cluster, limit) => versioned(entryOf(cluster) ?? '', how, limit),
    at: (entry, limit) => versioned(entry, 'Exact', limit),
    after: (token, limit) => asking(limit, `continue=${encodeURIComponent(token)}`),
  };
}

/** Just this version cannot be given: the client's names no version of the cluster. */
export const tooOld = (cluster?: ClusterName) =>
  expired(
    `The resourceVersion for the provided list is too old${cluster === undefined ? '.' : `: it does not name cluster "${cluster}".`}`,
  );
