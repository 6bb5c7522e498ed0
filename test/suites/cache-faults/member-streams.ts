/** Which watches and lists the cache has begun in a member, by the member's own audit log. */

import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { watchMember } from '../seen.ts';

export interface Begun {
  /** By resource; of one namespace as `resource in namespace`. */
  watches: Record<string, number>;
  lists: Record<string, number>;
}

/** Starts counting; the returned function counts what has begun since. */
export async function countStreams(member: Member): Promise<() => Promise<Begun>> {
  const since = await watchMember(member);
  return async () => {
    const begun: Begun = { watches: {}, lists: {} };
    for (const { userAgent, verb, stage, requestURI, objectRef } of await since()) {
      if (userAgent !== 'fleet-cache' || !objectRef?.resource) continue;
      const { resource, namespace } = objectRef;
      const name = namespace ? `${resource} in ${namespace}` : resource;
      // A watch is logged twice, at its beginning and at its end; a list of one object only asks what is granted.
      if (verb === 'watch' && stage === 'ResponseStarted') begun.watches[name] = (begun.watches[name] ?? 0) + 1;
      if (verb === 'list' && requestURI.includes('limit=500')) begun.lists[name] = (begun.lists[name] ?? 0) + 1;
    }
    return begun;
  };
}

/**
 * Watches of RBAC objects are no part of a registry's status. Where a member was cut off, each begins again by itself, some seconds
 * after the member is back: that must not be taken for what happens next.
 */
export async function rbacIsWatched({ api }: Product, members: readonly Member[]): Promise<void> {
  await until('the RBAC objects of all members are watched', async () => {
    const { body } = await api.ask('/metrics');
    return members.every(({ name }) => body.includes(`fleet_cache_rbac_watched{cluster="${name}"} 1\n`));
  });
}
