/** The sources of merged views: from the cache where a resource is registered and filled, else live (CACHE-7). */

import type { Headers, Upstream } from '@fleet/client/upstream.ts';
import type { Source } from '../merge/source.ts';
import type { Ask, ClusterName, PlacelessTarget } from '../target/target.ts';
import { cacheOnlySource } from './cache-only-source.ts';
import type { LiveReason } from './cached-feed.ts';
import { CachedSource } from './cached-source.ts';
import { isWritePending } from './feed-for.ts';
import type { MemberPermissions } from './member-permissions.ts';
import { isWrite, keyOf, type Observed, observingWrite } from './observed-writes.ts';
import type { OwnWrites, Write } from './own-writes.ts';
import type { ResourceCache } from './resource-cache.ts';

export interface CachedSourcesOptions {
  cache: ResourceCache;
  permissions: MemberPermissions;
  ownWrites: OwnWrites;
  /** Which views are answered from it: all merged ones, or the aggregation family alone. */
  views: 'all' | 'aggregation';
  onLive(cluster: ClusterName, reason: LiveReason): void;
  onCached(cluster: ClusterName): void;
}

export interface CachedAsk {
  cluster: ClusterName;
  target: Pick<PlacelessTarget, 'ask' | 'wishes' | 'registered' | 'cacheOnly'>;
  /** As whom the member sees the user. */
  identity: Headers;
}

export class CachedSources {
  private readonly options: CachedSourcesOptions;

  constructor(options: CachedSourcesOptions) {
    this.options = options;
  }

  /** `live`: what answers everything that the cache cannot. */
  source(asked: CachedAsk, live: Source): Source {
    const { cluster, target, identity } = asked;
    if (target.cacheOnly) return cacheOnlySource(this.options, asked);
    const { ask, wishes, registered } = target;
    const { cache, permissions, views, onLive, onCached } = this.options;
    if (!isCollection(ask) || (views === 'aggregation' && !registered)) return live;
    const feed = cache.feedOf(cluster, ask);
    if (!feed) return cache.isWanted(cluster, ask) ? counted(live, () => onLive(cluster, 'not-filled')) : live;
    const { group, version, resource, namespace } = ask;
    return new CachedSource({
      live,
      feed,
      namespace,
      isWritePending: () => isWritePending(this.options, feed),
      mayPrune: registered ?? false,
      // Not the name of a path: the cache shows what the selectors select.
      permissions: permissions.of(cluster, identity, { group, version, resource, namespace }),
      wishes: { consistent: wishes.consistent ?? false, fresh: wishes.fresh ?? false },
      onLive: (reason) => onLive(cluster, reason),
      onCached: () => onCached(cluster),
    });
  }

  /** Carries a request to one place: what it writes to a cached resource is noted. */
  upstream(cluster: ClusterName, ask: Ask, upstream: Upstream): Upstream {
    const { cache, ownWrites } = this.options;
    if (!isWrite(ask)) return upstream;
    const feeds = cache.feedsWith(cluster, ask);
    if (feeds.length === 0) return upstream;
    // As they are before the write: what the stream has not brought yet looks as if it were gone.
    const key = keyOf(ask);
    const before = new Map(feeds.map((id) => [id, key === undefined ? undefined : cache.uidOf(id, key)]));
    return observingWrite(upstream, ask, (write) => {
      for (const id of feeds) ownWrites.wrote(id, awaited(write, key, before.get(id)));
    });
  }
}

/** What a feed that had the object `before` waits for. */
function awaited(write: Observed, key: string | undefined, before: string | undefined): Write {
  if ('evicted' in write) {
    return before === undefined || key === undefined
      ? { unknown: true }
      : { deleted: { objects: [{ key, uid: before }] } };
  }
  if (!('deleted' in write) || write.deleted.version !== undefined) return write;
  return write.deleted.objects.every(({ uid }) => uid === before) ? write : { unknown: true };
}

/** The same, and each list and watch is counted. */
const counted = (live: Source, onAsk: () => void): Source => ({
  cluster: live.cluster,
  list: (ask) => {
    onAsk();
    return live.list(ask);
  },
  watch: (ask) => {
    onAsk();
    return live.watch(ask);
  },
  mayWatch: (ask) => live.mayWatch(ask),
  hasLost: (version, signal) => live.hasLost(version, signal),
});

const isCollection = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' && (ask.verb === 'list' || ask.verb === 'watch') && !ask.subresource;
