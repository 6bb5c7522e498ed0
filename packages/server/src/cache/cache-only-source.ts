/** A source that lists one member's resource from the cache only, for the search endpoint (CACHE-15). */

import { impersonationIn } from '@fleet/kube/impersonation-headers.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { expired, forbidden, qualified } from '@fleet/kube/status.ts';
import type { ListAnswer, ListAsk, NoList, Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { FeedPermissions } from './cached-feed.ts';
import { CachedSource } from './cached-source.ts';
import type { CachedAsk, CachedSourcesOptions } from './cached-sources.ts';

type Selectors = Parameters<FeedPermissions['ask']>[1];

/** Stale objects are served, with a warning if the member is unreachable; with `fresh=true` the member is missing (CACHE-12). */
export function cacheOnlySource(options: CachedSourcesOptions, { cluster, target, identity }: CachedAsk): Source {
  const { ask, requestOptions } = target;
  if (ask.is !== 'resource' || ask.verb !== 'list') return answering(cluster, async () => ({ is: 'absent' }));
  const feed = options.cache.feedOf(cluster, ask);
  if (!feed) return answering(cluster, async () => ({ is: 'missing', reason: whyNoFeed(options, cluster, ask) }));
  const { group, version, resource, namespace } = ask;
  const allowed = options.permissions.of(cluster, identity, { group, version, resource, namespace });
  /** What the member itself denied, as opposed to not answering. */
  const refused = new WeakSet<Selectors>();
  const permissions: FeedPermissions = {
    ask: (verb, selectors, signal) => allowed.ask(verb, selectors, signal, () => refused.add(selectors)),
  };
  /** Replaces the live source: returns why the cache does not answer. */
  const instead = async ({ query }: ListAsk): Promise<NoList> => {
    if (refused.has(query.selection)) {
      return { is: 'refused', error: forbidden(refusal(impersonationIn(identity).name, ask), ask) };
    }
    if (requestOptions.fresh && feed.staleSince() !== undefined) return { is: 'missing', reason: 'cannot be reached' };
    if (query.at.is === 'exact' || query.at.is === 'after') {
      return { is: 'expired', error: expired('The provided version or continue parameter is too old for the cache.') };
    }
    return { is: 'missing', reason: 'cannot be answered from the cache' };
  };
  return new CachedSource({
    live: answering(cluster, instead),
    feed: { ...feed, isFresh: () => true },
    namespace,
    permissions,
    requestOptions: { fresh: requestOptions.fresh ?? false },
    isWritePending: () => false,
    canPrune: true,
    onLive: () => {},
    onCached: () => options.onCached(cluster),
  });
}

/** Namespaces that are registered one by one have a stream each, so there is no single version to list all of them at. */
function whyNoFeed({ cache }: CachedSourcesOptions, cluster: ClusterName, ask: ResourceRequest): string {
  const isPartly =
    ask.namespace === undefined && !cache.isRequested(cluster, ask) && cache.feedsWith(cluster, ask).length > 0;
  return isPartly ? 'has only some namespaces in the cache: name one' : 'is not in the cache yet';
}

/** The message that kube-apiserver writes. */
function refusal(user: string, ask: ResourceRequest): string {
  const { group, resource, namespace } = ask;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${qualified(ask)} is forbidden: User "${user}" cannot list resource "${resource}" in API group "${group}" ${where}`;
}

const answering = (cluster: ClusterName, list: (ask: ListAsk) => Promise<ListAnswer>): Source => ({
  cluster,
  list,
  watch: async () => ({ is: 'absent' }),
  canWatch: async () => ({ is: 'absent' }),
  hasLost: async () => false,
});
