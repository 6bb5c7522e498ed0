/** The sources of merged views: cached if a resource is registered and filled, otherwise live (CACHE-7). */

import type { Headers, Upstream } from '@fleet/client/upstream.ts';
import type { Source } from '../merge/source.ts';
import type { Ask, ClusterName, PlacelessTarget } from '../target/target.ts';
import { cacheOnlySource } from './cache-only-source.ts';
import type { LiveReason } from './cached-feed.ts';
import { CachedSource } from './cached-source.ts';
import type { MemberPermissions } from './member-permissions.ts';
import { isWrite, objectKeyOf, observingWrite } from './observed-writes.ts';
import type { OwnWrites } from './own-writes.ts';
import { isWritePending, unconfirmedBy } from './request-feed.ts';
import type { ResourceCache } from './resource-cache.ts';
import { awaited, isFromRestored } from './write-progress.ts';

export interface CachedSourcesOptions {
  cache: ResourceCache;
  permissions: MemberPermissions;
  ownWrites: OwnWrites;
  /** Which views use the cache: all merged ones, or the aggregation endpoint only. */
  views: 'all' | 'aggregation';
  onLive(cluster: ClusterName, reason: LiveReason): void;
  onCached(cluster: ClusterName): void;
}

export interface CachedAsk {
  cluster: ClusterName;
  target: Pick<PlacelessTarget, 'ask' | 'requestOptions' | 'registered' | 'cacheOnly'>;
  /** The impersonation headers that the member gets. */
  identity: Headers;
}

export class CachedSources {
  private readonly options: CachedSourcesOptions;

  constructor(options: CachedSourcesOptions) {
    this.options = options;
  }

  /** `live` answers what the cache cannot. */
  source(asked: CachedAsk, live: Source): Source {
    const { cluster, target, identity } = asked;
    if (target.cacheOnly) return cacheOnlySource(this.options, asked);
    const { ask, requestOptions, registered } = target;
    const { cache, permissions, views, onLive, onCached } = this.options;
    if (!isCollection(ask) || (views === 'aggregation' && !registered)) return live;
    const feed = cache.feedOf(cluster, ask);
    if (!feed) return cache.isRequested(cluster, ask) ? counted(live, () => onLive(cluster, 'not-filled')) : live;
    const { group, version, resource, namespace } = ask;
    return new CachedSource({
      live,
      feed,
      namespace,
      isWritePending: () => isWritePending(this.options, feed, identity),
      canPrune: registered ?? false,
      // Without the name of the path: the cache evaluates selectors only.
      permissions: permissions.of(cluster, identity, { group, version, resource, namespace }),
      requestOptions: { consistent: requestOptions.consistent ?? false, fresh: requestOptions.fresh ?? false },
      onLive: (reason) => onLive(cluster, reason),
      onCached: () => onCached(cluster),
    });
  }

  /** Wraps the upstream of a write to a cached resource, so that the write is tracked until the stream shows it. */
  upstream({ cluster, target: { ask }, identity }: CachedAsk, upstream: Upstream): Upstream {
    const { cache, ownWrites } = this.options;
    if (!isWrite(ask)) return upstream;
    const feeds = cache.feedsWith(cluster, ask);
    if (feeds.length === 0) return upstream;
    const key = objectKeyOf(ask);
    const before = feeds.map((id) => ({ id, shown: cache.shown(id, key) }));
    return observingWrite(upstream, ask, (write) => {
      for (const { id, shown } of before) {
        if ('unconfirmed' in write) {
          ownWrites.wrote(unconfirmedBy(identity, id), { unknown: true });
          continue;
        }
        const hasGoneBack = isFromRestored(write, shown);
        if (hasGoneBack) cache.checkForRestore(id);
        ownWrites.wrote(id, hasGoneBack ? { unknown: true } : awaited(write, key, shown));
      }
    });
  }
}

/** A live source whose lists and watches are counted. */
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
  canWatch: (ask) => live.canWatch(ask),
  hasLost: (version, signal) => live.hasLost(version, signal),
});

const isCollection = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' && (ask.verb === 'list' || ask.verb === 'watch') && !ask.subresource;
