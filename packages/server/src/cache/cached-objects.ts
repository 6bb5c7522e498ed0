/** Requests by name: answers GETs from the cache, and looks up which member has an object (CACHE-7, CACHE-8, CACHE-12). */

import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { KnownObject } from '../find/known-object.ts';
import { isProxy, splitProxyName } from '../target/address.ts';
import type { Ask } from '../target/target.ts';
import type { LiveReason } from './cached-feed.ts';
import { CachedObject } from './cached-object.ts';
import type { CachedAsk, CachedSourcesOptions } from './cached-sources.ts';
import { objectQuery } from './object-query.ts';
import { answeringGets, isServedStale } from './object-upstream.ts';
import { feedFor } from './request-feed.ts';

export class CachedObjects {
  private readonly options: CachedSourcesOptions;

  constructor(options: CachedSourcesOptions) {
    this.options = options;
  }

  /** Returns a function that wraps the upstream of a GET, also of a member that is not ready; undefined if the cache cannot answer. */
  upstream(asked: CachedAsk): ((live: Upstream) => Upstream) | undefined {
    const { cluster, target } = asked;
    const { onLive, onCached } = this.options;
    if (!isGet(target.ask)) return undefined;
    const object = this.objectOf(asked, target.ask);
    if (!object) return undefined;
    const answers = {
      object,
      isAggregation: target.registered ?? false,
      onLive: (reason: LiveReason) => onLive(cluster, reason),
      onCached: () => onCached(cluster),
    };
    return (live) => answeringGets(live, answers);
  }

  /** Whether the member has the object that a request names, for any verb; undefined if the resource is not cached. */
  known(asked: CachedAsk, call: Pick<UpstreamCall, 'method' | 'path' | 'headers'>): KnownObject | undefined {
    const { ask, registered = false } = asked.target;
    if (ask.is !== 'resource') return undefined;
    const object = this.objectOf(asked, ask);
    if (!object) return undefined;
    return {
      isThere: (signal) => object.isThere(signal),
      wasThere: async (signal) => {
        const query = isGet(ask) ? objectQuery({ ...call, signal }) : undefined;
        if (!query || !isServedStale(query, registered)) return false;
        return (await object.readStale(query, signal)) !== undefined;
      },
    };
  }

  private objectOf({ cluster, target, identity }: CachedAsk, ask: ResourceRequest): CachedObject | undefined {
    const { requestOptions, registered } = target;
    const { permissions, views } = this.options;
    if (ask.name === undefined || requestOptions.consistent || (views === 'aggregation' && !registered))
      return undefined;
    const { group, version, resource } = ask;
    const isNamespace = group === '' && resource === 'namespaces';
    // Below another namespace there is none: a permission of that namespace would count for all of them.
    if (isNamespace && ask.namespace !== ask.name) return undefined;
    // A request for a Namespace object is authorised in that namespace, but the object is cluster-scoped.
    const namespace = isNamespace ? undefined : ask.namespace;
    const feed = feedFor(this.options, cluster, { group, version, resource, namespace }, identity);
    if (!feed) return undefined;
    const name = isProxy(ask) ? splitProxyName(ask.name).name : ask.name;
    const allowed = permissions.of(cluster, identity, { group, version, resource, namespace: ask.namespace, name });
    return new CachedObject({
      cluster,
      feed,
      key: namespace === undefined ? name : `${namespace}/${name}`,
      allowed: (signal) => allowed.ask('get', { labelSelector: '', fieldSelector: '' }, signal),
      fresh: requestOptions.fresh ?? false,
      canPrune: registered ?? false,
    });
  }
}

const isGet = (ask: Ask): ask is Ask & { is: 'resource' } =>
  ask.is === 'resource' && ask.verb === 'get' && ask.subresource === undefined;
