/** The sources of merged views: from the cache where a resource is registered and filled, else live (CACHE-7). */

import type { Headers, Upstream } from '@fleet/client/upstream.ts';
import type { Source } from '../merge/source.ts';
import type { Ask, ClusterName, PlacelessTarget } from '../target/target.ts';
import { cacheOnlySource } from './cache-only-source.ts';
import type { LiveReason } from './cached-feed.ts';
import { CachedSource } from './cached-source.ts';
import { feedFor, writtenAs } from './feed-for.ts';
import type { MemberPermissions } from './member-permissions.ts';
import { isWrite, observingWrite } from './observed-writes.ts';
import type { OwnWrites } from './own-writes.ts';
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
    const { permissions, views, onLive, onCached } = this.options;
    if (!isCollection(ask) || (views === 'aggregation' && !registered)) return live;
    const feed = feedFor(this.options, cluster, ask);
    if (!feed) return live;
    const { group, version, resource, namespace } = ask;
    return new CachedSource({
      live,
      feed,
      namespace,
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
    if (!isWrite(ask) || !cache.holds(cluster, ask)) return upstream;
    return observingWrite(upstream, ask.verb, (write) => ownWrites.wrote(cluster, writtenAs(ask), write));
  }
}

const isCollection = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' && (ask.verb === 'list' || ask.verb === 'watch') && !ask.subresource;
