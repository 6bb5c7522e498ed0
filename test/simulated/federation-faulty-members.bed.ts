/** Federation while a member is frozen, killed, lies or leaves and comes back, and while the control plane is killed (FED-8, FED-9). */

import { setTimeout as delay } from 'node:timers/promises';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinFederation } from './src/federation.ts';
import { type FaultyMember, type Lie, startFaultyMember } from './src/federation-faults/faulty-member.ts';
import {
  begin,
  change,
  end,
  isAtRest,
  own,
  remove,
  type Scene,
  scale,
  settled,
  stateNow,
  versions,
} from './src/federation-faults/round.ts';
import type { State } from './src/federation-faults/state.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';

/** How long nothing may be written while nothing changes. */
const restMillis = 1_000 * Number(process.env['FEDERATION_REST_SECONDS'] ?? 12);
const settings = '/api/v1/namespaces/shop/configmaps/settings';

let fleet: SimulatedFleet;
let paris: FaultyMember;
let scene: Scene;
let reference: State;

beforeAll(async () => {
  fleet = await startFleet({ members: ['tokyo'], flags: ['--federation'] });
  await joinFederation(fleet, 'deployments.apps,configmaps');
  paris = await startFaultyMember(fleet, 'paris');
  await paris.join();
  await fleet.controlPlane.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  scene = {
    controlPlane: fleet.controlPlane,
    members: () => [
      ['tokyo', fleet.members.get('tokyo')!.client],
      ['paris', paris.cluster.client],
    ],
  };
}, 180_000);
afterAll(async () => {
  await paris?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

/** Whether everything has come to rest: two looks with some time between them see the same. */
async function atRest(): Promise<State> {
  let before = await versions(scene);
  for (;;) {
    await delay(3_000);
    const now = await versions(scene);
    if (JSON.stringify(now) === JSON.stringify(before)) return stateNow(scene);
    before = now;
  }
}

describe('FED-8, FED-9: at rest the same as without faults', { timeout: 300_000 }, () => {
  it('without faults, and nothing is written while nothing changes', async () => {
    await begin(scene);
    await scale(scene);
    await change(scene);
    await remove(scene);
    reference = await atRest();
    expect(JSON.stringify([...reference])).toContain('FullyAppliedSuccess');
    const before = await versions(scene);
    const writes = paris.writes.length;
    expect(paris.writes.map((write) => write.split(' ')[0])).toEqual(expect.arrayContaining(['POST', 'PUT', 'DELETE']));
    // All that is followed there is listed anew.
    await paris.link.reset();
    await paris.link.heal();
    await delay(restMillis);
    expect(await versions(scene)).toEqual(before);
    expect(paris.writes.slice(writes)).toEqual([]);
    await end(scene);
  });

  it('a member is frozen', async () => {
    await begin(scene);
    await paris.link.drop();
    await scale(scene);
    await change(scene);
    await remove(scene);
    await delay(5_000);
    await paris.link.heal();
    await isAtRest(scene, reference);
    await end(scene);
  });

  it('a member is killed, and started again', async () => {
    await begin(scene);
    await scale(scene);
    await paris.stop();
    await change(scene);
    await remove(scene);
    await delay(2_000);
    await paris.startAgain();
    await isAtRest(scene, reference);
    await end(scene);
  });

  it.each<Lie>(['errors', 'garbage', 'nothing is there'])('a member lies: %s', async (lie) => {
    await begin(scene);
    paris.lie = lie;
    await scale(scene);
    await change(scene);
    // An object that the member reports as missing cannot be deleted.
    if (lie !== 'nothing is there') await remove(scene);
    // Its watches break, and are answered with lies.
    await paris.link.reset();
    await paris.link.heal();
    await delay(4_000);
    paris.lie = undefined;
    if (lie === 'nothing is there') await remove(scene);
    await isAtRest(scene, reference);
    await end(scene);
  });

  it('the control plane is killed, again and again', async () => {
    await begin(scene);
    for (const act of [scale, change, remove]) {
      await act(scene);
      await fleet.product.stop('SIGKILL');
      await fleet.product.startAgain();
    }
    await isAtRest(scene, reference);
    await end(scene);
  });

  it('a member that was removed while it was unreachable and comes back keeps its objects, which are brought up to date', async () => {
    await begin(scene);
    const { client } = paris.cluster;
    const uidOf = async () => (await client.get<KubeObject>(settings)).metadata.uid;
    const before = await uidOf();
    await paris.link.refuse();
    expect(await fleet.product.fleet('unjoin', 'paris', '--force')).toMatchObject({ code: 0 });
    await scale(scene);
    await change(scene);
    await paris.link.heal();
    await paris.join();
    await vi.waitFor(async () => {
      expect(await client.get(settings)).toMatchObject({ data: { of: 'changed' } });
      await client.get(settings.replace('settings', 'new'));
    }, settled);
    expect(await uidOf()).toBe(before);
    expect(await client.get(settings.replace('settings', 'own'))).toMatchObject({ data: own.data });
  });
});
