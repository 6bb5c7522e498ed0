/** Merged watches of registered resources: members that are removed or no longer cached, and users with permissions of their own. */

import { describe, expect, it, vi } from 'vitest';
import {
  addCached,
  clustersPath,
  maps,
  settled,
  startCached,
  untilCached,
  versionOf,
  watch,
  watchFromList,
} from './src/cached-watching.ts';
import type { FleetOptions } from './src/fleet.ts';
import { deregister, endpoint } from './src/registering.ts';

/** Of member2. The one of a namespace's certificates is there by itself. */
const all = ['b', 'c', 'd', 'kube-root-ca.crt'];

describe('WATCH-5: a cached member that is removed', () => {
  it('is reported as deleted; the watch goes on, and resumes by the map without it', async () => {
    await using fleet = await startCached();
    const admin = await fleet.config();
    await using watching = await watchFromList(fleet, admin, 2);
    await fleet.controlPlane.delete(`${clustersPath}/member2`);
    await vi.waitFor(() => expect(watching.events).toHaveLength(4), settled);
    expect(watching.events.toSorted()).toEqual(all.map((name) => `DELETED ${name}.clusterspace.member2`));
    const { client } = fleet.members.get('member1')!;
    await client.create(maps, { metadata: { name: 'e' } });
    await vi.waitFor(() => expect(watching.events.at(-1)).toBe('ADDED e.clusterspace.member1'), settled);
    await vi.waitFor(() => expect(Object.keys(watching.maps.at(-1)!)).toEqual(['member1']), settled);
    expect(watching.isOver()).toBe(false);
    await using resumed = await watch(admin, { resourceVersion: versionOf(watching.maps.at(-1)!) });
    await client.create(maps, { metadata: { name: 'f' } });
    await vi.waitFor(() => expect(resumed.events).toEqual(['ADDED f.clusterspace.member1']), settled);
    const old = { ...watching.maps.at(-1)!, member2: '1' };
    await using outdated = await watch(admin, { resourceVersion: versionOf(old) });
    await vi.waitFor(() => expect(outdated.events).toEqual(['ERROR 410']), settled);
    await addCached(fleet, 'member3', ['g']);
    await vi.waitFor(() => expect(watching.events).toContain('ADDED g.clusterspace.member3'), settled);
    expect(watching.events.filter((event) => event.startsWith('DELETED'))).toHaveLength(4);
  });

  it.each([
    [
      'one object of a goodbye is left out',
      {
        file: 'cache/src/resource-table.ts',
        from: 'for (const id of taken) {',
        to: 'for (const id of taken.slice(1)) {',
      },
    ],
    [
      'a goodbye is no news to watches',
      {
        file: 'server/src/watch/member-feeds.ts',
        from: 'if (!this.feeds.get(cluster)?.leave()) return false;',
        to: 'if (this.revision > -1) return false;',
      },
    ],
  ])('a product with a bug is noticed: %s', async (_, mutant: NonNullable<FleetOptions['mutant']>) => {
    await using fleet = await startCached({ mutant });
    await using watching = await watchFromList(fleet, await fleet.config(), 2);
    await fleet.controlPlane.delete(`${clustersPath}/member2`);
    await vi.waitUntil(() => watching.isOver() || watching.maps.some((map) => !map['member2']), settled);
    expect(watching.events.filter((event) => event.startsWith('DELETED')).length).toBeLessThan(all.length);
  });
});

describe('CACHE-4: a resource that is no longer registered', () => {
  it('is watched on from the members, and nobody notices; at the aggregation endpoint the stream ends', async () => {
    await using fleet = await startCached();
    const admin = await fleet.config();
    await using vanilla = await watchFromList(fleet, admin, 2);
    await using aggregated = await watchFromList(fleet, admin, 2, `${endpoint}${maps}`);
    await deregister(fleet.controlPlane, 'core');
    const { client } = fleet.members.get('member2')!;
    for (const name of ['e', 'f']) await client.create(maps, { metadata: { name } });
    await vi.waitFor(
      () => expect(vanilla.events).toEqual(['ADDED e.clusterspace.member2', 'ADDED f.clusterspace.member2']),
      settled,
    );
    expect(vanilla.isOver()).toBe(false);
    await vi.waitUntil(() => aggregated.isOver(), settled);
    expect(aggregated.events).toEqual(['ERROR 410']);
    await untilCached(fleet, 0);
  });
});
