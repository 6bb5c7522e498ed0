/** The tables of the FleetAPIServer proposal with federation enabled, row by row, with the audit logs of all places as witness. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { playing } from './request-routing/playing.ts';
import { clusterRoles, deployments, rowsOf, spellings } from './request-routing/row.ts';
import { type Places, play } from './request-routing/stage.ts';
import {
  federated,
  fleetClusterRoles,
  fleetDeployments,
  vanillaClusterRoles,
  vanillaDeployments,
} from './request-routing/tables.ts';
import { stagedAs } from './request-routing/witnessed.ts';

const members = ['member1', 'member2'] as const;
let fleet: Fleet<(typeof members)[number]>;
let places: Places;

beforeAll(async () => {
  fleet = await startFleet(
    { member1: { version: 'newest', nodes: 0 }, member2: { version: 'older', nodes: 0 } },
    { audited: true },
    ['--federation'],
  );
  places = stagedAs({ ...fleet.members, karmada: fleet.controlPlane });
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

const { sceneOf, expected, playRow } = playing(() => ({ product: fleet.product, places }), members, true);

const vanilla = [
  ['Deployment', federated(vanillaDeployments), deployments, 8],
  ['ClusterRole', federated(vanillaClusterRoles), clusterRoles, 7],
] as const;

describe.each(vanilla)('NAME-5 URL-1: vanilla API, %s, federation on', (_, table, kind, count) => {
  const rows = rowsOf(table);
  test(`the table has ${count} rows`, () => {
    expect(rows).toHaveLength(count);
  });
  test.each(rows)('$text', (row) => playRow(kind, row));
});

describe.each(vanilla)('NAME-6: vanilla API, %s, federation on, by plain name', (_, table, kind) => {
  test.each(rowsOf(table))('$text', (row) => playRow(kind, row, undefined, 'plain'));
});

describe.each([
  ['Deployment', fleetDeployments, deployments],
  ['ClusterRole', fleetClusterRoles, clusterRoles],
] as const)('URL-3: Fleet API, %s, federation on', (_, table, kind) => {
  test.each(rowsOf(table))('$text', (row) => playRow(kind, row, spellings['as a prefix']));
});

describe('negative controls', () => {
  const outcome = async (operation: string, mutant: Parameters<typeof fleet.withMutant>[0]) => {
    const row = rowsOf(federated(vanillaClusterRoles)).find((one) => one.operation === operation)!;
    const scene = sceneOf(clusterRoles, row, undefined, 'plain');
    await using product = await fleet.withMutant(mutant);
    const { answer, seen, state } = await play(product, places, scene);
    return { actual: { code: answer.code, seen, state }, desired: expected(scene) };
  };

  test('a product that lists members alone is noticed by the audit logs', async () => {
    const { actual, desired } = await outcome('list', {
      file: 'server/src/authz/authorize.ts',
      from: 'templates ? [...members(), karmada].sort() : members();',
      to: 'members();',
    });
    expect(actual.code).toBe(desired.code);
    expect(actual.seen).not.toEqual(desired.seen);
  });

  test('one that looks for plain names in members is noticed', async () => {
    const { actual, desired } = await outcome('delete', {
      file: 'server/src/target/families/resource-paths.ts',
      from: "place: { at: 'template' }, view: family.found",
      to: "place: { at: 'found' }, view: family.found",
    });
    expect(actual).not.toEqual(desired);
  });
});
