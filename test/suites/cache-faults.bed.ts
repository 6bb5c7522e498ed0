/**
 * The cache while things go wrong: what watchers believe is what the members have, nothing is reported as deleted that is there,
 * and no deletion is missed (CACHE-2, CACHE-4, CACHE-5, CACHE-12, CACHE-18, WATCH-6).
 */

import { anySeed } from '@fleet/bed/any-seed.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeRegistries } from './cache-faults/changing-registry.ts';
import { FaultyFleet, isCached } from './cache-faults/faulty-fleet.ts';
import { changingKinds, configMaps, kinds, secrets } from './cache-faults/kinds.ts';
import { compared, type Latency, measure } from './cache-faults/latency.ts';
import { longFaults } from './cache-faults/long-faults.ts';
import { countStreams, rbacIsWatched } from './cache-faults/member-streams.ts';
import { clear, fillUp, shrink } from './cache-faults/memory.ts';
import type { Observers } from './cache-faults/observers.ts';
import {
  deletesWhatIsThere,
  dropsDeletion,
  fullAsWhole,
  restartsOthers,
  staleWithoutWarning,
} from './cache-faults/planted-bugs.ts';
import { relist } from './cache-faults/relists.ts';
import { isStale, type Last, lastOf, staleFaults } from './cache-faults/stale.ts';

const isLong = process.env['CACHE_FAULTS'] === 'long';
const seed = process.env['CACHE_FAULTS_SEED'] ?? String(anySeed());
/** Each lists every kind of the member anew. */
const rounds = isLong ? 100 : 25;
const reads = isLong ? 2_000 : 200;
const timeout = isLong ? 1_200_000 : 600_000;

let fleet: FaultyFleet;
let observers: Observers;

beforeAll(async () => {
  const command = 'npx vitest run --project bed test/suites/cache-faults.bed.ts';
  console.log(`seed ${seed}; again: CACHE_FAULTS_SEED=${seed}${isLong ? ' CACHE_FAULTS=long' : ''} ${command}`);
  fleet = await FaultyFleet.start(seed);
  observers = fleet.observe();
  await observers.settled('the beginning');
}, 240_000);

afterAll(async () => {
  if (observers) {
    const { deletions, events, falseDeletions, ends } = observers;
    const { writes, deleted } = fleet.journal;
    console.log(
      `${writes} writes, ${deleted} of them deletions; ${events} events to watchers, ${deletions} of them DELETED; ` +
        `${falseDeletions} false deletions, ${ends.length} watches ended`,
    );
  }
  await observers?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

/** Nothing is written meanwhile: watchers and lists have what the members have, and no watch has ended. */
async function holds(after: string): Promise<void> {
  await fleet.churn.rest();
  await observers.settled(after);
  await observers.listsAreRight(after);
  expect(observers.ends).toEqual([]);
  fleet.churn.resume();
}

describe('member3 is frozen', () => {
  let without: Record<string, Latency>;
  let last: Last;

  beforeAll(async () => {
    await fleet.churn.rest();
    without = await measure(observers.client, reads);
    last = await lastOf(observers, 'member3');
    fleet.members.member3.faults.freeze();
    fleet.churn.resume('member1', 'member2');
  }, timeout);

  afterAll(() => fleet.members.member3.faults.thaw());

  test('CACHE-5: it delays nobody', { timeout }, async () => {
    await fleet.churn.rest();
    // Each is answered, and it answers nothing.
    console.log(compared(without, await measure(observers.client, reads)));
    fleet.churn.resume('member2');
  });

  test('CACHE-5 WATCH-6: meanwhile member1 loses its history, and is listed a hundred times', { timeout }, async () => {
    const others = await countStreams(fleet.members.member2);
    const lists = await relist(fleet, fleet.members.member1, rounds, observers);
    expect(await others()).toEqual({ watches: {}, lists: {} });
    console.log(`${lists} lists of member1`);
    expect(lists).toBeGreaterThanOrEqual(100);
    expect(observers.ends).toEqual([]);
  });

  test('CACHE-2 CACHE-12: meanwhile member2 is killed, and comes back', { timeout }, async () => {
    const { faults } = fleet.members.member2;
    await fleet.churn.rest('member2');
    await observers.settled('the last write', 30_000, new Set(['member2']));
    const lastOfKilled = await lastOf(observers, 'member2');
    await faults.kill();
    await reported('member2', 'Unreachable');
    await isStale(observers, 'member2', lastOfKilled);
    await faults.start();
    fleet.churn.resume('member2');
    await notReported('member2');
    await fleet.churn.rest('member2');
    await observers.settled('a kill', 40_000, new Set(['member2']));
    expect(observers.ends).toEqual([]);
  });

  test('WATCH-6: meanwhile member2 is cut off, changes, and loses its history', { timeout }, async () => {
    const { faults } = fleet.members.member2;
    const { deleted } = fleet.journal;
    await faults.proxy.refuse();
    fleet.churn.resume('member2');
    await until('some are deleted', () => fleet.journal.deleted >= deleted + 8);
    await fleet.churn.rest('member2');
    await faults.forget();
    await faults.proxy.heal();
    await observers.settled('lost history', 40_000, new Set(['member2']));
    await notReported('member2');
    expect(observers.ends).toEqual([]);
  });

  test('CACHE-2 CACHE-12: it is reported, and served with a warning until it is back', { timeout }, async () => {
    await reported('member3', 'Unreachable');
    await isStale(observers, 'member3', last);
    fleet.members.member3.faults.thaw();
    await fleet.synced();
    await holds('it was frozen');
  });
});

/** By the status of both registries. */
async function reported(cluster: string, reason: string): Promise<void> {
  for (const name of ['steady', 'changing']) {
    const isSo = async () => {
      const rows = (await fleet.registries.report(name))?.unwell ?? [];
      return rows.filter((row) => row.startsWith(`${cluster} `) && row.endsWith(` ${reason}`)).length === 2;
    };
    await until(`${name} reports that ${cluster} is ${reason}`, isSo, { timeout: 90_000, every: 200 });
  }
}

async function notReported(cluster: string): Promise<void> {
  for (const name of ['steady', 'changing']) {
    const isSo = async () =>
      (await fleet.registries.report(name))?.unwell.every((row) => !row.startsWith(`${cluster} `));
    await until(`${name} reports nothing of ${cluster}`, isSo, { timeout: 90_000, every: 200 });
  }
}

// Before what makes open watches live: those end where history is lost (WATCH-6).
describe('negative controls', () => {
  /** What is left, when what is right has long come about in a product without the bug. */
  async function settledNever(seenThere: Observers): Promise<string> {
    return seenThere.settled('a bug', 5_000).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  }

  test('each planted bug is noticed', { timeout }, async () => {
    await fleet.churn.rest();
    const bugs = { dropsDeletion, deletesWhatIsThere, staleWithoutWarning, restartsOthers };
    await using stack = new AsyncDisposableStack();
    const seenBy: Record<string, Observers> = {};
    const start = async ([name, mutant]: [string, Mutant]) => {
      const product = stack.use(await fleet.withMutant(mutant));
      seenBy[name] = stack.use(fleet.observe(product));
      await seenBy[name].settled(`the beginning of ${name}`);
    };
    for (const bug of Object.entries(bugs)) await start(bug);
    const counted = await countStreams(fleet.members.member2);
    await relist(fleet, fleet.members.member1, 2, observers);

    const missed = await settledNever(seenBy['dropsDeletion']!);
    expect(missed).toMatch(/held, and not there/);
    await until('a false deletion is found', () => seenBy['deletesWhatIsThere']!.falseDeletions > 0);

    await until('streams of member2 begin again', async () => {
      const { watches } = await counted();
      return kinds.some(({ plural }) => (watches[plural] ?? 0) > 0);
    });

    const last = await lastOf(observers, 'member2');
    await fleet.members.member2.faults.kill();
    await reported('member2', 'Unreachable');
    await isStale(observers, 'member2', last);
    const faults = await staleFaults(seenBy['staleWithoutWarning']!, 'member2', last);
    await fleet.members.member2.faults.start();
    expect(faults.join('\n')).toMatch(/no warning/);
    await notReported('member2');
    // Until the cache has caught up, a kind that is deregistered is read live from a version that the member has forgotten.
    await fleet.writers.get('member2')!.touch();
    await observers.settled('negative controls');
    expect(observers.ends).toEqual([]);
  });
});

describe('CACHE-4: a registry is changed under load', () => {
  test('other resources’ streams are not touched, and no watch ends', { timeout }, async () => {
    await rbacIsWatched(fleet.product, fleet.all);
    const counted = await Promise.all(fleet.all.map(countStreams));
    const before = observers.events;
    await changeRegistries(fleet, async (change) => {
      await fleet.churn.rest();
      await observers.settled(change);
      expect(observers.ends, change).toEqual([]);
      fleet.churn.resume();
    });
    const begun = await Promise.all(counted.map((count) => count()));
    const names = new Set(begun.flatMap(({ watches, lists }) => [...Object.keys(watches), ...Object.keys(lists)]));
    const changed = changingKinds.flatMap(({ plural }) => [plural, `${plural} in faults`]);
    expect([...names].filter((name) => !changed.includes(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(0);
    expect(observers.events).toBeGreaterThan(before);
    await holds('the registry changed');
  });
});

describe('CACHE-18: more is registered than fits', () => {
  test('its status is Full, answers and watches are right, and what fits again is filled again', {
    timeout,
  }, async () => {
    await fillUp(fleet);
    const { unwell, errors } = await fleet.registries.become('steady', 'Full');
    expect(unwell).toContain('member2 configmaps Full');
    expect(errors.join()).toMatch(/\d+ of \d+ bytes, with \d+ objects read/);
    await fleet.churn.rest();
    await observers.settled('memory was full');
    await observers.listsAreRight('memory was full', [...kinds, secrets]);
    expect(observers.ends).toEqual([]);
    expect(await noticedAsPartial()).not.toEqual([]);
    fleet.churn.resume();
    await shrink(fleet);
    await fleet.synced();
    await isCached(fleet.product);
    await holds('memory was freed');
    await clear(fleet);
    await holds('large objects were deleted');
  });

  /** Negative control: a part of a list that is answered as the whole. */
  async function noticedAsPartial(): Promise<string[]> {
    await using product = await fleet.withMutant(fullAsWhole, false);
    await using seenThere = fleet.observe(product);
    let wrong: string[] = [];
    const isSo = async () => {
      wrong = await seenThere.listed([configMaps, secrets]);
      return wrong.some((what) => what.includes('there, and not held'));
    };
    await until('a part is shown as the whole', isSo, { timeout: 40_000, every: 500 });
    return wrong;
  }
});

if (isLong) describe('at length', () => longFaults(() => ({ fleet, observers })));
