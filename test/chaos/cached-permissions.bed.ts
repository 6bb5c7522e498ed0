/** Cached answers obey the members' own permissions, by RBAC and by webhooks, while these change (IMP-3, CACHE-7, CACHE-17, AUTHZ-2). */

import { anySeed } from '@fleet/bed/any-seed.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Judge, tooMuch } from './src/cached-permissions/judge.ts';
import { mutants as all } from './src/cached-permissions/mutants.ts';
import { runCachedPermissions } from './src/cached-permissions/run.ts';
import { countAnswers, type Scene, startWebhookFleet, untilCached } from './src/cached-permissions/scene.ts';

const seconds = Number(process.env['CACHED_PERMISSIONS_SECONDS'] ?? 30);
/** It repeats the choices, not the moments: a planted bug may need more of them. */
const seed = process.env['CACHED_PERMISSIONS_SEED'] ?? anySeed();

/** Those with one of these texts in their names. */
const chosen = (process.env['CACHED_PERMISSIONS_MUTANTS'] ?? '').split(',');
const mutants = Object.fromEntries(Object.entries(all).filter(([name]) => chosen.some((text) => name.includes(text))));
/** At once: all of them would keep each other from becoming ready. */
const startedAtOnce = 3;

let scene: Scene;
const planted: Record<string, Product> = {};
let judges: ReadonlyMap<Product, Judge>;
let counted: Record<string, number>;

beforeAll(
  async () => {
    scene = await startWebhookFleet();
    const { fleet } = scene;
    const waiting = Object.entries(mutants);
    while (waiting.length > 0)
      await Promise.all(
        waiting.splice(0, startedAtOnce).map(async ([name, mutant]) => {
          planted[name] = await fleet.withMutant(mutant);
        }),
      );
    await Promise.all([fleet.product, ...Object.values(planted)].map(untilCached));
    console.log(`started within ${Math.round(performance.now() / 1_000)} s`);
    const before = await countAnswers(fleet.product);
    console.log(`again: CACHED_PERMISSIONS_SEED=${seed} CACHED_PERMISSIONS_SECONDS=${seconds}`);
    judges = await runCachedPermissions({
      scene,
      product: fleet.product,
      mutants: planted,
      seed,
      seconds,
      isEnough: (now) => Object.values(planted).every((product) => noticed(now.get(product)!).length > 0),
      log: console.log,
    });
    const after = await countAnswers(fleet.product);
    counted = Object.fromEntries(Object.entries(after).map(([by, count]) => [by, count - (before[by] ?? 0)]));
    report();
  },
  420_000 + 3 * seconds * 1_000,
);

afterAll(() => scene?.[Symbol.asyncDispose]());

/** What a planted bug was noticed by. */
const noticed = ({ violations }: Judge) => violations.filter(({ fault }) => tooMuch.includes(fault));

function report(): void {
  for (const [name, product] of Object.entries({ product: scene.fleet.product, ...planted })) {
    const judge = judges.get(product)!;
    const { answers, decided, shown, revoked, ended, compared } = judge;
    // What the bounds were longer by: a run on a machine that stands still proves less.
    const allowed = judge.pace.given();
    const counts = { answers, decided, shown, revoked, ended, compared, allowed };
    console.log(`${name}: ${JSON.stringify(counts)}; ${summary(judge)}`);
  }
  console.log(`members' parts of the product's answers: ${JSON.stringify(counted)}`);
}

/** As in `3 list: shown although it is refused`. */
function summary({ violations }: Judge): string {
  const counts = Map.groupBy(violations, ({ request, fault }) => `${request}: ${fault}`);
  return [...counts].map(([what, { length }]) => `${length} ${what}`).join('; ');
}

describe('IMP-3 CACHE-17: cached answers are what the members allow', () => {
  test('no answer shows more or less than the members of its time', () => {
    expect(judges.get(scene.fleet.product)!.violations.slice(0, 10)).toEqual([]);
  });

  test('enough was asked, of what was revoked, too', () => {
    const { decided, compared, revoked, ended } = judges.get(scene.fleet.product)!;
    expect(decided).toBeGreaterThan(seconds * 8);
    expect(compared).toBeGreaterThan(seconds * 4);
    expect(revoked).toBeGreaterThan(seconds / 2);
    expect(ended).toBeGreaterThan(0);
  });

  test('CACHE-7: what is allowed comes from the cache', () => {
    const { shown } = judges.get(scene.fleet.product)!;
    const { cached = 0, 'not-allowed': _refused, ...live } = counted;
    expect(cached).toBeGreaterThan(shown * 0.9);
    expect(Object.values(live).reduce((sum, count) => sum + count, 0)).toBeLessThan(cached / 10);
  });

  test.each(Object.keys(mutants))('negative control: %s', (name) => {
    const judge = judges.get(planted[name]!)!;
    expect(noticed(judge).length, summary(judge)).toBeGreaterThan(0);
  });
});
