/** What requests use of a feed, made once for all of them: each looks it up several times. */

import type { Feed } from '@fleet/cache/feed.ts';
import type { Reflector } from '@fleet/cache/reflector/reflector.ts';
import type { MemoryShard } from '@fleet/cache/shard.ts';
import type { ClusterName } from '../target/target.ts';
import type { CachedFeed } from './cached-feed.ts';
import type { CachedResource } from './cached-resource.ts';
import type { ListShape } from './list-shape.ts';
import { isBroken, lastHeard } from './reflector-health.ts';
import type { SharedStreams } from './shared-streams.ts';

export interface ServedFeedsOptions {
  shard: MemoryShard;
  streams: SharedStreams;
  /** Whether the last health probes of a member passed. */
  isReady(cluster: ClusterName): boolean;
}

interface Filled {
  resource: CachedResource;
  /** Another one once it has been learnt again. */
  shape: ListShape;
  reflector: Reflector;
}

export class ServedFeeds {
  private readonly options: ServedFeedsOptions;
  private readonly made = new WeakMap<Feed, Filled & { feed: CachedFeed }>();

  constructor(options: ServedFeedsOptions) {
    this.options = options;
  }

  of(writer: Feed, { resource, shape, reflector }: Filled): CachedFeed {
    const known = this.made.get(writer);
    if (known?.resource === resource && known.shape === shape && known.reflector === reflector) return known.feed;
    const { shard, streams, isReady } = this.options;
    const { registered } = resource;
    const feed: CachedFeed = {
      id: registered.id,
      shard,
      streams,
      apiVersion: resource.apiVersion,
      listKind: shape.kind,
      endsWithVersion: shape.endsWithVersion,
      isFresh: () => isReady(registered.cluster) && reflector.isFresh(),
      staleSince: () =>
        isReady(registered.cluster) && !isBroken(reflector.state) ? undefined : lastHeard(reflector.state),
      lastHeard: () => lastHeard(reflector.state),
      position: () => shard.writer(registered.id)?.position,
      isLeaving: () => shard.isLeaving(registered.id),
      areFieldsKnown: () => resource.areFieldsKnown && resource.hasFieldsOf(writer.spec),
      isShapeKnown: () => !shape.isGuessed || !writer.hasHeldObjects,
      isPruned: registered.prunesManagedFields ?? false,
    };
    this.made.set(writer, { resource, shape, reflector, feed });
    return feed;
  }
}
