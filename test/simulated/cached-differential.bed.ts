/** Answers of the cache beside those of the members at the same versions, for requests from a seed, while members change (CACHE-17). */

import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countAnswers } from './src/cached-differential/cached-answers.ts';
import { connect } from './src/cached-differential/connection.ts';
import { spread } from './src/cached-differential/happenings.ts';
import { type FollowedInformer, heldBy, inMembers, startInformers } from './src/cached-differential/informers.ts';
import { collectionOf, resources } from './src/cached-differential/kinds.ts';
import { plantedBugs } from './src/cached-differential/mutants.ts';
import { type Report, type RunOptions, run } from './src/cached-differential/run.ts';
import { limitedUser, memberNames, startScene } from './src/cached-differential/scene.ts';
import { findingsOf, findingsOfMutant, startSmallScene } from './src/cached-differential/small-run.ts';
import type { SimulatedFleet } from './src/fleet.ts';

const seed = process.env['CACHED_SEED'] ?? '1';
const count = Number(process.env['CACHED_COUNT'] ?? 400);
const replay = process.env['CACHED_REPLAY'] === undefined ? undefined : Number(process.env['CACHED_REPLAY']);
const settled = { timeout: 30_000, interval: 50 };

function show({ same, pages, different, incomparable }: Report, cached: number): void {
  console.log(
    `seed ${seed}: ${same} same on ${pages} pages, ${different.length} different, ${incomparable.length} incomparable, ${cached} members' parts from the cache`,
  );
  for (const [why, all] of Object.entries(Object.groupBy(incomparable, (why) => why))) {
    console.log(`${all!.length} incomparable: ${why}`);
  }
  showDifferent(different);
}

/** Once each, as soon as they are known: a long run that is broken off has shown something, too. */
function showDifferent(different: Report['different']): void {
  for (const { number, why } of different.slice(shown)) {
    console.log(`#${number}: ${why}\n    again: CACHED_SEED=${seed} CACHED_COUNT=${count} CACHED_REPLAY=${number}`);
  }
  shown = different.length;
}
let shown = 0;

function onProgress(sent: number, { same, different, incomparable }: Report): void {
  console.log(
    `seed ${seed}, ${sent} sent: ${same} same, ${different.length} different, ${incomparable.length} incomparable`,
  );
  showDifferent(different);
}

describe('CACHE-17: what the cache answers is what the members answer', () => {
  let fleet: SimulatedFleet;
  let admin: KubeConfig;
  let to: RunOptions['to'];
  let informers: FollowedInformer[] = [];
  beforeAll(async () => {
    fleet = await startScene();
    admin = await fleet.config();
    to = { admin: await connect(admin), limited: await connect(await fleet.config({ name: limitedUser })) };
    await vi.waitFor(async () => {
      for (const resource of resources) {
        const before = await countAnswers(admin);
        await to.admin.get(collectionOf(resource));
        const { cached } = await countAnswers(admin);
        expect(cached - before.cached).toBe(resource.kind === 'Widget' ? 2 : 3);
      }
    }, settled);
    informers = startInformers(fleet, to.admin);
  });
  afterAll(async () => {
    await Promise.all(informers.map(({ informer }) => informer[Symbol.asyncDispose]()));
    for (const connection of Object.values(to ?? {})) connection[Symbol.dispose]();
    await fleet?.[Symbol.asyncDispose]();
  });

  async function holdWhatIsThere(): Promise<void> {
    for (const followed of informers) {
      await vi.waitFor(async () => expect(heldBy(followed)).toEqual(await inMembers(fleet, followed)), settled);
    }
  }

  it(`${count} lists of seed ${seed}`, { timeout: 60_000 + count * 600 }, async () => {
    const before = await countAnswers(admin);
    const happenings = spread(count);
    const report = await run({ fleet, to, seed, count, replay, quiet: holdWhatIsThere, happenings, onProgress });
    const after = await countAnswers(admin);
    const watched = informers.reduce((sum, { informer }) => sum + informer.watches, 0);
    const cached = after.cached - before.cached - watched * memberNames.length;
    show(report, cached);
    expect(report.different.map(({ number }) => number)).toEqual([]);
    if (replay !== undefined) return;
    expect(report.incomparable.length).toBeLessThan(count / 10);
    // Each is of three members, and some are of several pages: a suite that is answered live proves nothing.
    expect(cached).toBeGreaterThan(count * 1.2);
  });

  it('WATCH-1, WATCH-6: informers hold what members have, and received no wrong event before', async () => {
    await holdWhatIsThere();
    for (const followed of informers) {
      const { view, resource, selectors, informer } = followed;
      const { faults, events, relists } = informer;
      console.log(`${view}${resource.plural} ${JSON.stringify(selectors)}: ${events} events, ${relists} lists`);
      expect({ resource: resource.plural, selectors, faults }).toEqual({
        resource: resource.plural,
        selectors,
        faults: [],
      });
    }
  });
});

describe('negative controls: a run notices', () => {
  /** So few find each of them. */
  const few = 80;
  let fleet: SimulatedFleet;
  beforeAll(async () => {
    fleet = await startSmallScene();
  });
  afterAll(() => fleet?.[Symbol.asyncDispose]());

  it('nothing without a bug', async () => {
    expect(await findingsOf(fleet, fleet.product.url, few)).toEqual([]);
  });

  it.each(plantedBugs)('$bug', async ({ bug: _, ...mutant }) => {
    expect(await findingsOfMutant(fleet, mutant, few)).not.toEqual([]);
  });
});
