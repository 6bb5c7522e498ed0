/** A resource of one member from the cache alone, as the search endpoint lists it (CACHE-15). */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { expired, forbidden, qualified } from '@fleet/kube/status.ts';
import type { ListAnswer, ListAsk, NoList, Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { CachedSource } from './cached-source.ts';
import type { CachedAsk, CachedSourcesOptions } from './cached-sources.ts';

/** However old it is: of an unreachable member there is a warning, unless that is not wanted (CACHE-12). */
export function cacheOnlySource(options: CachedSourcesOptions, { cluster, target, identity }: CachedAsk): Source {
  const { ask, wishes } = target;
  if (ask.is !== 'resource' || ask.verb !== 'list') return answering(cluster, async () => ({ is: 'absent' }));
  const feed = options.cache.feedOf(cluster, ask);
  if (!feed) return answering(cluster, async () => ({ is: 'missing', reason: 'is not in the cache yet' }));
  const { group, version, resource, namespace } = ask;
  const permissions = options.permissions.of(cluster, identity, { group, version, resource, namespace });
  /** What a client is told instead of what a member would have been asked for. */
  const instead = async ({ query, signal }: ListAsk): Promise<NoList> => {
    if (await permissions.isRefused('list', query.selection, signal)) {
      return { is: 'refused', error: forbidden(refusal(String(identity['impersonate-user']), ask), ask) };
    }
    if (wishes.fresh && feed.staleSince() !== undefined) return { is: 'missing', reason: 'cannot be reached' };
    if (query.at.is === 'exact' || query.at.is === 'after') {
      return { is: 'expired', error: expired('The provided version or continue parameter is too old for the cache.') };
    }
    return { is: 'missing', reason: 'cannot be answered for from the cache' };
  };
  return new CachedSource({
    live: answering(cluster, instead),
    feed: { ...feed, isFresh: () => true },
    namespace,
    permissions,
    wishes: { fresh: wishes.fresh ?? false },
    isWritePending: () => false,
    mayPrune: true,
    onLive: () => {},
    onCached: () => options.onCached(cluster),
  });
}

/** In the words of a member. */
function refusal(user: string, ask: ResourceRequest): string {
  const { group, resource, namespace } = ask;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${qualified(ask)} is forbidden: User "${user}" cannot list resource "${resource}" in API group "${group}" ${where}`;
}

const answering = (cluster: ClusterName, list: (ask: ListAsk) => Promise<ListAnswer>): Source => ({
  cluster,
  list,
  watch: async () => ({ is: 'absent' }),
  mayWatch: async () => ({ is: 'absent' }),
  hasLost: async () => false,
});
