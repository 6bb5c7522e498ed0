/** The feed that can answer a request. It is not fresh while it may lack a write through this server (CACHE-7). */

import type { ClusterName } from '../target/target.ts';
import type { CachedFeed } from './cached-feed.ts';
import type { AskedCollection } from './collection-key.ts';
import type { OwnWrites } from './own-writes.ts';
import type { ResourceCache } from './resource-cache.ts';

export interface Feeds {
  cache: ResourceCache;
  ownWrites: OwnWrites;
}

/** Undefined if the resource is not registered, or not filled yet. */
export function feedFor(feeds: Feeds, cluster: ClusterName, asked: AskedCollection): CachedFeed | undefined {
  const feed = feeds.cache.feedOf(cluster, asked);
  return feed && { ...feed, isFresh: () => feed.isFresh() && !isWritePending(feeds, feed) };
}

/** Whether its stream may not have shown a write through this server yet. */
export const isWritePending = ({ cache, ownWrites }: Feeds, { id, position }: CachedFeed): boolean =>
  ownWrites.mustReadLive(id, {
    position: position(),
    hasGone: (key, uid, isGone) => cache.hasGone(id, key, uid, isGone),
  });
