/** The feed that a request may be answered from. It is not fresh while writes through this server may be missing from it (CACHE-7). */

import type { ClusterName } from '../target/target.ts';
import type { NamedFeed } from './cached-feed.ts';
import type { AskedCollection } from './collection-key.ts';
import type { OwnWrites } from './own-writes.ts';
import type { ResourceCache } from './resource-cache.ts';

export interface Feeds {
  cache: ResourceCache;
  ownWrites: OwnWrites;
}

/** Undefined where the resource is not registered, or not filled yet. */
export function feedFor(feeds: Feeds, cluster: ClusterName, asked: AskedCollection): NamedFeed | undefined {
  const feed = feeds.cache.feedOf(cluster, asked);
  return feed && { ...feed, isFresh: () => feed.isFresh() && !isWritePending(feeds, feed) };
}

/** Whether what was written through this server may not have come by its stream yet. */
export const isWritePending = ({ cache, ownWrites }: Feeds, { id, position }: NamedFeed): boolean =>
  ownWrites.mustReadLive(id, { position: position(), hasGone: (key, uid) => cache.hasGone(id, key, uid) });
