/** An informer over a fleet is as trustworthy as one over a single cluster, whatever its members go through (WATCH-1 to WATCH-6). */

import { informers, mirror } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Chaos } from './src/chaos.ts';
import type { FaultName } from './src/faults.ts';
import { ChaosFleet } from './src/fleet.ts';
import { Mirror } from './src/mirror.ts';
import { busy, makeThroughout, mirrored } from './src/things.ts';

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 30);
const seeds = (process.env['CHAOS_SEEDS'] ?? '1').split(',');
const timeout = seconds * 1_000 + 5 * 60_000;

let fleet: ChaosFleet;

beforeAll(async () => {
  await build([informers, mirror]);
  fleet = await ChaosFleet.start(['member1', 'member2', 'member3']);
  await Promise.all(fleet.members.map(makeThroughout));
}, 20 * 60_000);

afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('what one cluster sends to its informers, through /clusterspaces/member1', () => {
  test('is just what it has, after every fault', { timeout }, async () => {
    await using chaos = new Chaos(fleet, { seed: 'one', only: fleet.members[0]! });
    const happened = await chaos.run({ seconds, faults: ['reset', 'history lost'] });
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
    // As long as informers have: the controller's own may be waiting between two tries.
    const patience = { timeout: 120_000, every: 200 };
    await until('every copy is as its source', isDone, patience).catch(() => expect(left).toEqual([]));
  });
});

describe('negative controls', () => {
  afterEach(() => fleet.plant());

  /** How the suite fails with a bug in the product. */
  async function verdict(mutant: Mutant, fault: FaultName): Promise<string> {
    await fleet.plant(mutant);
    await using chaos = new Chaos(fleet, { seed: 'control', deadline: 20 });
    try {
      await chaos.run({ seconds: 30, faults: [fault] });
      return 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  }

  // Of one that is cached the last known objects are listed (CACHE-12).
  test.skipIf(isCached)('LIST-4: an unreachable member that is left out of lists is noticed', { timeout }, async () => {
    const mutant = {
      file: 'server/src/merge/settle.ts',
      from: 'missing.length > 0 && (!partial || lists.length === 0)',
      to: 'lists.length === 0',
    };
    expect(await verdict(mutant, 'one leaves while another is unreachable')).toMatch(/was reported as deleted/);
  });

  test('WATCH-4: an event that is lost when a member is watched again is noticed', { timeout }, async () => {
    const live = {
      file: 'server/src/watch/member-feed.ts',
      from: 'for await (const batch of batches) {',
      to: 'let loses = this.backoff.pause > 250 ? 3 : 0; for await (const batch of batches) { if (loses-- > 0) continue;',
    };
    const cached = {
      file: 'cache/src/reflector/reflector.ts',
      from: 'for await (const lines of watchBatches(stream.body, body.memory)) {',
      to: 'let loses = this.isAgain ? 3 : 0; this.isAgain = true; for await (const lines of watchBatches(stream.body, body.memory)) { if (loses-- > 0) continue;',
    };
    expect(await verdict(isCached ? cached : live, 'reset')).toMatch(/is at \d+, and (not held|held at \d+)/);
  });

  test('WATCH-2: a map that has a cluster before its objects were sent is noticed', { timeout }, async () => {
    const mutant = {
      file: 'server/src/watch/cluster-states.ts',
      from: "if (state.phase === 'live') positions.set(",
      to: "if (state.phase === 'initial') positions.set(cluster, feedAt(cluster) ?? '1'); else if (state.phase === 'live') positions.set(",
    };
    expect(await verdict(mutant, 'back and slow')).toMatch(/had been sent/);
  });
});
