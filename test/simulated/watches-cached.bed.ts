/** Merged watches of registered resources: members that are removed or no longer cached, and users with permissions of their own. */

import type { KubeConfig } from '@kubernetes/client-node';
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
import type { FleetOptions, SimulatedFleet } from './src/fleet.ts';
import { grant, revoke } from './src/granting.ts';
import { deregister, endpoint } from './src/registering.ts';
import { requestAs } from './src/request.ts';

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
      'watches are not informed of a goodbye',
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

/** Users who may reach all clusters; what they may read in each member is granted there. */
async function userOf(fleet: SimulatedFleet, name: string, members: readonly string[]): Promise<KubeConfig> {
  await grant(fleet.controlPlane, `reach-${name}`, name, [
    { apiGroups: ['cluster.karmada.io'], resources: ['clusterspaces'], verbs: ['*'] },
  ]);
  for (const member of members) {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
    await grant(fleet.members.get(member)!.client, `maps-${name}`, name, rules);
  }
  return fleet.config({ name });
}

const listed = async (config: KubeConfig): Promise<string> => {
  const { body } = await requestAs(config, maps);
  return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
};

const both = ['member1', 'member2'];

/** Bob loses his permission while Alice and he watch. */
async function revoked(mutant?: FleetOptions['mutant']) {
  const fleet = await startCached(mutant ? { mutant } : {});
  const [alice, bob] = [await userOf(fleet, 'alice', both), await userOf(fleet, 'bob', both)];
  const watches = [await watchFromList(fleet, alice, 2), await watchFromList(fleet, bob, 2)] as const;
  const { client } = fleet.members.get('member2')!;
  await client.create(maps, { metadata: { name: 'shown' } });
  for (const { events } of watches) {
    await vi.waitFor(() => expect(events).toEqual(['ADDED shown.clusterspace.member2']), settled);
  }
  await revoke(client, 'maps-bob');
  return { fleet, client, alice: watches[0], bob: watches[1] };
}

describe('IMP-3: users who watch the same cached resource', () => {
  it('a revoked permission ends the watch of that user with 410, and no other', async () => {
    const { fleet, client, alice, bob } = await revoked();
    await using _ = fleet;
    await vi.waitUntil(() => bob.isOver(), { timeout: 10_000, interval: 50 });
    expect(bob.events.at(-1)).toBe('ERROR 410');
    await client.create(maps, { metadata: { name: 'secret' } });
    await vi.waitFor(() => expect(alice.events).toContain('ADDED secret.clusterspace.member2'), settled);
    expect(bob.events).toHaveLength(2);
    expect(alice.isOver()).toBe(false);
  });

  it('a product that lets a revoked user watch on is noticed', async () => {
    const { fleet, client, bob } = await revoked({
      file: 'server/src/cache/cached-events.ts',
      from: 'if (!feed.isLeaving()) over.abort(error);',
      to: 'if (feed.isLeaving()) over.abort(error);',
    });
    await using _ = fleet;
    await client.create(maps, { metadata: { name: 'secret' } });
    await vi.waitFor(() => expect(bob.events).toContain('ADDED secret.clusterspace.member2'), settled);
  });

  /** Carol is refused by member2: what she is sent of it, while Alice watches live. */
  async function afterFallback(mutant?: FleetOptions['mutant']) {
    const fleet = await startCached(mutant ? { mutant } : {});
    const [alice, carol] = [await userOf(fleet, 'alice', both), await userOf(fleet, 'carol', ['member1'])];
    const resourceVersion = await listed(alice);
    const allowed = await watchFromList(fleet, alice, 2);
    await deregister(fleet.controlPlane, 'core');
    await untilCached(fleet, 0);
    const { client } = fleet.members.get('member2')!;
    await client.create(maps, { metadata: { name: 'secret' } });
    await vi.waitFor(() => expect(allowed.events).toContain('ADDED secret.clusterspace.member2'), settled);
    const refused = await watch(carol, { resourceVersion });
    await vi.waitUntil(() => refused.events.length > 0, settled);
    return { fleet, refused };
  }

  it('where the cache no longer answers, each user reaches the member as that user', async () => {
    const { fleet, refused } = await afterFallback();
    await using _ = fleet;
    expect(refused.events).toEqual(['ERROR 410']);
  });

  it('a product that opens live streams as somebody else is noticed', async () => {
    const { fleet, refused } = await afterFallback({
      file: 'server/src/places.ts',
      from: '...asked(target, identity, { headers, remoteAddress }),',
      to: '...asked(target, ((globalThis as any)[cluster] ??= identity), { headers, remoteAddress }),',
    });
    await using _ = fleet;
    expect(refused.events).toContain('ADDED secret.clusterspace.member2');
  });
});
