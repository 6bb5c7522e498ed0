/** The feed that a request may be answered from. It is not fresh while writes through this server may be missing from it (CACHE-7). */

import type { ClusterName } from '../target/target.ts';
import type { NamedFeed } from './cached-feed.ts';
import type { OwnWrites } from './own-writes.ts';
import type { AskedCollection, ResourceCache } from './resource-cache.ts';

export interface Feeds {
  cache: ResourceCache;
  ownWrites: OwnWrites;
}

/** Undefined where the resource is not registered, or not filled yet. */
export function feedFor(
  { cache, ownWrites }: Feeds,
  cluster: ClusterName,
  asked: AskedCollection,
): NamedFeed | undefined {
  const feed = cache.feedOf(cluster, asked);
  if (!feed) return undefined;
  const isShown = () =>
    !ownWrites.mustReadLive(cluster, writtenAs(asked), { position: feed.position(), hasGone: () => false });
  return { ...feed, isFresh: () => feed.isFresh() && isShown() };
}

/** Whatever the version by which it is written. */
export const writtenAs = ({ group, resource }: Pick<AskedCollection, 'group' | 'resource'>): string =>
  `${group}/${resource}`;
