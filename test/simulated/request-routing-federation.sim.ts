/** The vanilla tables of the FleetAPIServer proposal with federation enabled, row by row, on simulated clusters (NAME-5, NAME-6). */

import { playing } from '@fleet/suites/request-routing/playing.ts';
import { clusterRoles, deployments, rowsOf, spellings } from '@fleet/suites/request-routing/row.ts';
import type { Places } from '@fleet/suites/request-routing/stage.ts';
import {
  federated,
  fleetClusterRoles,
  fleetDeployments,
  vanillaClusterRoles,
  vanillaDeployments,
} from '@fleet/suites/request-routing/tables.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { apiOf, witness } from './src/staged.ts';

const members = ['alpha', 'tokyo'];
let fleet: SimulatedFleet;
let places: Places;
let product: Places[string];

beforeAll(async () => {
  fleet = await startFleet({ members: [], flags: ['--federation'] });
  const admin = await fleet.config();
  product = { api: apiOf(admin), watch: undefined };
  const staged: Record<string, Places[string]> = {
    karmada: { api: apiOf(admin, '/clusterspaces/karmada'), watch: undefined },
  };
  for (const name of members) {
    const { onRequest, staged: stage } = witness();
    staged[name] = stage((await fleet.add(name, { onRequest })).kubeconfig);
  }
  places = staged;
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

const { playRow } = playing(() => ({ product: product!, places }), members, true);

const vanilla = [
  ['Deployment', federated(vanillaDeployments), deployments, 8],
  ['ClusterRole', federated(vanillaClusterRoles), clusterRoles, 7],
] as const;

describe.each(vanilla)('NAME-5 URL-1: vanilla API, %s, federation on', (_, table, kind, count) => {
  const rows = rowsOf(table);
  test(`the table has ${count} rows`, () => {
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ text }) => text.includes('(including Karmada)'))).toHaveLength(count === 8 ? 2 : 1);
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
