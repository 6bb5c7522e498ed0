/** Permissions are granted and revoked while lists, pages, watches and named requests run: no answer that they do not allow (AUTHZ-2, AUTHZ-3). */

import { anySeed } from '@fleet/bed/any-seed.ts';
import type { Product } from '@fleet/bed/product.ts';
import { type Fleet, startFleet } from '@fleet/suites/fleet.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Judge } from './src/permissions/judge.ts';
import type { Cluster } from './src/permissions/model.ts';
import { mutants } from './src/permissions/mutants.ts';
import { runPermissions } from './src/permissions/run.ts';

const seconds = Number(process.env['PERMISSIONS_SECONDS'] ?? 30);
/** It repeats the choices, not the moments: a planted bug may need more of them. */
const seed = process.env['PERMISSIONS_SEED'] ?? anySeed();

let fleet: Fleet<Cluster>;
let judges: Record<string, Judge>;

beforeAll(
  async () => {
    const bare = { version: 'newest', nodes: 0 } as const;
    fleet = await startFleet({ member1: bare, member2: bare });
    const named = Object.entries(mutants).map(
      async ([name, { file, from, to }]): Promise<[string, Product]> => [
        name,
        await fleet.withMutant({ file, from, to }),
      ],
    );
    const products = { product: fleet.product, ...Object.fromEntries(await Promise.all(named)) };
    console.log(`PERMISSIONS_SEED=${seed} PERMISSIONS_SECONDS=${seconds}`);
    const { controlPlane, members } = fleet;
    const isEnough = (judges: Record<string, Judge>) =>
      Object.keys(mutants).every((name) => noticed(name, judges).length > 0);
    judges = await runPermissions({ controlPlane, members, products, seed, seconds, isEnough, log: console.log });
    for (const [name, judge] of Object.entries(judges))
      console.log(`${name}: ${judge.answers} answers, decided about ${judge.decided}; ${summary(judge)}`);
  },
  180_000 + 3 * seconds * 1_000,
);

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** What a planted bug was noticed by. */
const noticed = (name: string, judges: Record<string, Judge>) =>
  judges[name]!.violations.filter(({ fault }) => mutants[name]!.faults.includes(fault));

/** As in `3 list: answered although the plane forbids it`. */
function summary({ violations }: Judge): string {
  const counts = Map.groupBy(violations, ({ request, fault }) => `${request}: ${fault}`);
  return [...counts].map(([what, { length }]) => `${length} ${what}`).join('; ');
}

describe('AUTHZ-2 AUTHZ-3: permissions over time', () => {
  test('no answer that the permissions of its time do not allow', () => {
    const { violations, decided } = judges['product']!;
    expect(violations.slice(0, 20)).toEqual([]);
    expect(decided).toBeGreaterThan(seconds * 2);
  });

  test.each(Object.keys(mutants))('negative control: %s', (name) => {
    expect(noticed(name, judges).length, summary(judges[name]!)).toBeGreaterThan(0);
  });
});
