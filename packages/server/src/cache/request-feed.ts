/** The feed that can answer a request. It is not fresh while it may lack a write through this server (CACHE-7). */

import type { FeedId } from '@fleet/cache/messages.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import type { ClusterName } from '../target/target.ts';
import { identityOf } from './access-question.ts';
import type { CachedFeed } from './cached-feed.ts';
import type { AskedCollection } from './collection-key.ts';
import type { OwnWrites, StreamProgress } from './own-writes.ts';
import type { ResourceCache } from './resource-cache.ts';

export interface Feeds {
  cache: ResourceCache;
  ownWrites: OwnWrites;
}

/** Undefined if the resource is not registered, or not filled yet. */
export function feedFor(
  feeds: Feeds,
  cluster: ClusterName,
  asked: AskedCollection,
  identity: Headers,
): CachedFeed | undefined {
  const feed = feeds.cache.feedOf(cluster, asked);
  return feed && { ...feed, isFresh: () => feed.isFresh() && !isWritePending(feeds, feed, identity) };
}

/** Whether its stream may not have shown a write through this server yet that this user may expect in it. */
export function isWritePending({ cache, ownWrites }: Feeds, { id, position }: CachedFeed, identity: Headers): boolean {
  const progress: StreamProgress = {
    position: position(),
    hasGone: (key, uid, isGone) => cache.hasGone(id, key, uid, isGone),
  };
  return ownWrites.mustReadLive(id, progress) || ownWrites.mustReadLive(unconfirmedBy(identity, id), progress);
}

/**
 * The key of a user's writes that the member has not confirmed. They count for reads of that user only: whoever is not allowed to write
 * would otherwise keep others from the cache, with writes that they abort. All tokens of a user count as one: a user may get any number of
 * them, and each would be kept for each feed.
 */
export const unconfirmedBy = (identity: Headers, feed: FeedId): string =>
  JSON.stringify([identityOf(identity)?.rbacKey ?? '', feed]);
