/** Faults that take minutes, as the product waits that long before it believes them. */

import { until } from '@fleet/bed/until.ts';
import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import type { FaultyFleet } from './faulty-fleet.ts';
import { cacheKinds, configMaps, everywhere, kinds } from './kinds.ts';
import type { Observers } from './observers.ts';
import { isStale, lastOf } from './stale.ts';

export interface Scene {
  fleet: FaultyFleet;
  observers: Observers;
}

/** In milliseconds. CACHE-5: 70 s of silence and 60 s in which the member has not come to the version, and some for each request. */
const wentBackWithin = 200_000;
const timeout = 600_000;

export function longFaults(scene: () => Scene): void {
  test('CACHE-5: member2 is restored from an old copy of its etcd', { timeout }, async () => {
    const { fleet, observers } = scene();
    const { faults } = fleet.members.member2;
    await fleet.churn.rest();
    await faults.keep();
    const { writes } = fleet.journal;
    fleet.churn.resume('member2');
    await until('much is written behind the copy', () => fleet.journal.writes >= writes + 100, { timeout: 60_000 });
    await fleet.churn.rest('member2');
    // So many that what the member writes itself, above all when it starts, does not make up for them in two minutes.
    for (let round = 0; round < 300; round++) await fleet.writers.get('member2')!.touch();
    await observers.settled('what was written behind the copy');
    const old = await observers.client.get(everywhere(configMaps));
    const { resourceVersion } = (JSON.parse(old.body) as { metadata: { resourceVersion: string } }).metadata;
    const ends = observers.ends.length;
    const kept = await versionOf(fleet);

    const only = new Set(['member2']);
    await faults.restore();
    const lists = await Promise.all(kinds.map((kind) => observers.there(everywhere(kind), only)));
    observers.restored.set('member2', new Set(lists.flat().map(({ uid }) => uid)));
    fleet.churn.resume('member1', 'member3');
    const before = await versionOf(fleet);
    await until('it is found out', () => observers.ends.length > ends, { timeout: wentBackWithin, every: 500 });
    console.log(
      `restored from ${kept}, at ${before} when it had started, and at ${await versionOf(fleet)} when it was found out`,
    );
    await fleet.churn.rest();
    await observers.settled('a restored backup', wentBackWithin);
    await observers.listsAreRight('a restored backup');
    for (const end of observers.ends.slice(ends)) expect(end).toMatch(/410: .*"member2"/);
    observers.forgiveEnds();
    fleet.churn.resume();
    expect(await endOfWatch(observers.client, resourceVersion)).toMatch(/410 .*"member2"/);
  });

  test('CACHE-12: the network to member3 is silent while it changes', { timeout }, async () => {
    const { fleet, observers } = scene();
    const { faults } = fleet.members.member3;
    await fleet.churn.rest();
    await observers.settled('the last write');
    const last = await lastOf(observers, 'member3');
    await faults.proxy.drop();
    fleet.churn.resume();
    await fleet.registries.become('steady', 'Unreachable', 90_000);
    await isStale(observers, 'member3', last);
    await faults.proxy.heal();
    await fleet.synced();
    await fleet.churn.rest();
    await observers.settled('silence', 60_000);
    await observers.listsAreRight('silence');
    expect(observers.ends).toEqual([]);
    fleet.churn.resume();
  });

  test('WATCH-5: member3 is removed and joins again', { timeout }, async () => {
    const { fleet, observers } = scene();
    observers.leaving.add('member3');
    observers.inView.delete('member3');
    const { code, stderr } = await fleet.product.fleet('unjoin', 'member3', '--force');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await fleet.churn.rest();
    await observers.settled('a member was removed', 60_000);
    await observers.listsAreRight('a member was removed');
    fleet.churn.resume();
    await fleet.product.join(fleet.members.member3, 'member3', '--cache-kinds', cacheKinds);
    observers.inView.add('member3');
    await fleet.synced();
    await fleet.churn.rest();
    await observers.settled('a member joined again', 60_000);
    await observers.listsAreRight('a member joined again');
    observers.leaving.clear();
    // Read live, as it may be for a moment, a member that is removed ends the stream; one that has just joined is not reached yet (LIST-4).
    for (const end of observers.ends) expect(end).toMatch(/410: |503 .*the list would be incomplete/);
    observers.forgiveEnds();
    fleet.churn.resume();
  });
}

/** Where member2 stands. */
const versionOf = async ({ members }: FaultyFleet): Promise<string> =>
  (await members.member2.api.object<{ metadata: { resourceVersion: string } }>(`${everywhere(configMaps)}?limit=1`))
    .metadata.resourceVersion;

/** Why a watch from a version ends; events of other clusters may come before. */
async function endOfWatch(client: Client, version: string): Promise<string> {
  const path = `${everywhere(configMaps)}?watch=true&resourceVersion=${version}`;
  for await (const { type, object } of client.watch(path, AbortSignal.timeout(60_000))) {
    if (type === 'ERROR') return `${object.code} ${object.message}`;
  }
  return 'no error';
}
