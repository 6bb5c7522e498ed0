/** An informer over a fleet is as trustworthy as one over a single cluster, whatever its members go through (WATCH-1 to WATCH-6). */

import { informers, mirror } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Chaos } from './src/chaos.ts';
import { ChaosFleet } from './src/fleet.ts';
import { Mirror } from './src/mirror.ts';
import { busy, makeThroughout, mirrored } from './src/things.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 30);
const seeds = (process.env['CHAOS_SEEDS'] ?? '1,2,3').split(',');
const timeout = seconds * 1_000 + 5 * 60_000;

let fleet: ChaosFleet;

beforeAll(async () => {
  await build([informers, mirror]);
  fleet = await ChaosFleet.start(['member1', 'member2', 'member3']);
  await Promise.all(fleet.members.map(makeThroughout));
}, 20 * 60_000);

afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('what one cluster tells its informers, through /clusterspaces/member1', () => {
  test('is just what it has, after every fault', { timeout }, async () => {
    await using chaos = new Chaos(fleet, { seed: 'one', only: fleet.members[0]! });
    const happened = await chaos.run({ seconds, faults: ['reset', 'history lost', 'product killed', 'frozen'] });
    console.log(`${chaos.writes} writes\n${happened.join('\n')}`);
  });
});

describe('WATCH-6: informers hold what the members have, and a controller does its work', () => {
  test.each(seeds)('after every fault of seed %s', { timeout }, async (seed) => {
    await using chaos = new Chaos(fleet, { seed, things: [...busy, ...mirrored] });
    await using controller = new Mirror(fleet);
    const happened = await chaos.run({ seconds });
    console.log(`seed ${seed}, ${chaos.writes} writes\n${happened.join('\n')}`);
    expect(happened.length).toBeGreaterThan(1);

    await chaos.still();
    let left: string[] = [];
    const isDone = async () => {
      left = await controller.inconsistencies();
      return left.length === 0;
    };
    await until('every copy is as its source', isDone, { every: 200 }).catch(() => expect(left).toEqual([]));
  });
});
