/** What goes wrong in a fleet, each fault with its end. What the choices are comes from a seed. */

import { setTimeout as pass } from 'node:timers/promises';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Member } from '@fleet/bed/member.ts';
import { until } from '@fleet/bed/until.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { ChaosFleet } from './fleet.ts';

export interface Scene {
  fleet: ChaosFleet;
  random: Random;
  /** The longest that a fault lasts, in seconds. */
  longest: number;
  /** Returns when every informer holds what the members in the view have. */
  settled(): Promise<void>;
}

type Fault = (scene: Scene, member: Member, another: Member) => Promise<void>;

/** Some of the time that a fault may last; never so little that nothing happens. */
const aWhile = ({ random, longest }: Scene) => pass(500 + random.next() * (longest - 0.5) * 1_000);

async function cutWith(
  set: (member: Member) => Promise<void>,
  scene: Scene,
  member: Member,
  meanwhile = async () => {},
) {
  await set(member);
  await aWhile(scene);
  await meanwhile();
  await member.faults.proxy.heal();
}

export const faults = {
  async frozen(scene, member) {
    member.faults.freeze();
    await aWhile(scene);
    member.faults.thaw();
  },
  async killed(scene, member) {
    await member.faults.kill();
    await aWhile(scene);
    await member.faults.start();
  },
  reset: (scene, member) => cutWith(({ faults }) => faults.proxy.reset(), scene, member),
  refused: (scene, member) => cutWith(({ faults }) => faults.proxy.refuse(), scene, member),
  silent: (scene, member) => cutWith(({ faults }) => faults.proxy.drop(), scene, member),
  'cut short': (scene, member) =>
    cutWith(({ faults }) => faults.proxy.truncate(scene.random.below(5_000)), scene, member),
  /** Comes back, and does not know any more what happened meanwhile. */
  'history lost': (scene, member) =>
    cutWith(
      ({ faults }) => faults.proxy.refuse(),
      scene,
      member,
      () => member.faults.forget(),
    ),
  /** All must be listed again while one of them is unreachable. */
  'history lost while another is unreachable': (scene, member, another) =>
    cutWith(
      ({ faults }) => faults.proxy.refuse(),
      scene,
      another,
      async () => {
        await member.faults.proxy.reset();
        await aWhile(scene);
        await member.faults.forget();
        await member.faults.proxy.heal();
        await aWhile(scene);
      },
    ),
  async removed({ fleet, settled }, member) {
    await fleet.remove(member);
    await settled();
    await fleet.join(member);
  },
  async inactive({ fleet, settled }, member) {
    await fleet.setActive(member, false);
    await settled();
    await fleet.setActive(member, true);
  },
  /** All must be listed again, which fails as long as one of them is unreachable. */
  async 'one leaves while another is unreachable'(scene, member, another) {
    const { fleet } = scene;
    await another.faults.proxy.refuse();
    const before = await fleet.listsAsked();
    await fleet.setActive(member, false);
    // A cached member's objects are deleted in the open streams, which stay open (WATCH-5).
    if (isCached) await aWhile(scene);
    else await until('informers list again', async () => (await fleet.listsAsked()) >= before + 4, { every: 200 });
    await fleet.setActive(member, true);
    await another.faults.proxy.heal();
  },
  /** Its objects come late into streams that the other members continue. */
  async 'back and slow'({ fleet, settled }, member) {
    await fleet.setActive(member, false);
    await settled();
    await member.faults.proxy.delay(700);
    await fleet.setActive(member, true);
    await pass(3_000);
    await member.faults.proxy.heal();
  },
  'product ended': ({ fleet }) => fleet.restart('SIGTERM'),
  'product killed': ({ fleet }) => fleet.restart('SIGKILL'),
  /** Clients come back to a product that cannot reach one. */
  'product killed while a member is unreachable': (scene, member) =>
    cutWith(
      ({ faults }) => faults.proxy.refuse(),
      scene,
      member,
      async () => {
        await scene.fleet.restart('SIGKILL');
        await aWhile(scene);
      },
    ),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** All faults in the seed's order, again and again. */
export function* deck(random: Random): Generator<FaultName, never> {
  const names = Object.keys(faults) as FaultName[];
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(random.below(left.length), 1)[0]!;
  }
}
