/** Kubernetes' own conformance tests, directly and through each endpoint (COMPAT-3). */

import { areAgentsUsed } from '@fleet/bed/agents/product-agents.ts';
import { type Fleet, startFleet } from '@fleet/suites/fleet.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, describeComparison } from './src/comparison.ts';
import { buildSuite, runSuite } from './src/e2e.ts';
import { through as at, directly, type Endpoint, endpoints } from './src/endpoints.ts';
import { endpointsSection } from './src/endpoints-section.ts';
import { writeSection } from './src/page.ts';
import type { Outcome } from './src/report.ts';
import { longSelection, named, shortSelection } from './src/selection.ts';

const isLong = process.env['CONFORMANCE'] === 'long';
const selection = isLong ? longSelection : shortSelection;
const atLeast = isLong ? 60 : 10;
const timeout = isLong ? 60 * 60_000 : 8 * 60_000;

/** One for each way, so that all go at the same time and none finds what another left. */
const memberOf = {
  'clusters/{c}/proxy': 'member2',
  '/clusters/{c}': 'member3',
  '/clusterspaces/{c}': 'member4',
} as const;
let fleet: Fleet<'member1' | (typeof memberOf)[Endpoint]>;

beforeAll(async () => {
  await buildSuite();
  fleet = await startFleet({ member1: {}, member2: {}, member3: {}, member4: {} });
}, 20 * 60_000);

afterAll(() => fleet?.[Symbol.asyncDispose]());

const runDirectly = (specs = selection) =>
  runSuite({ member: fleet.members.member1, at: directly(fleet.members.member1), selection: specs });

function runThrough(endpoint: Endpoint, product = fleet.product, specs = selection): Promise<Map<string, Outcome>> {
  const member = fleet.members[memberOf[endpoint]];
  return runSuite({ member, at: at(endpoint, product, member.name), selection: specs });
}

describe('COMPAT-3: what passes directly passes through the product', () => {
  test(`${isLong ? 'all' : 'ten'} specs differ at no endpoint`, { timeout }, async () => {
    const names = Object.keys(endpoints) as Endpoint[];
    const [direct, ...outcomesThrough] = await Promise.all([
      runDirectly(),
      ...names.map((endpoint) => runThrough(endpoint)),
    ]);
    const compared = outcomesThrough.map((outcomes) => ({ outcomes, comparison: compare(direct, outcomes) }));
    const shown = compared.map(({ comparison }, index) => `${names[index]}: ${describeComparison(comparison)}`);
    console.log(shown.join('\n'));
    // The page is about members that are dialled directly.
    if (isLong && !areAgentsUsed) {
      const { version } = fleet.members.member1;
      const through = new Map(compared.map((way, i) => [names[i]!, way]));
      await writeSection(endpointsSection({ version, direct, through }));
    }
    for (const { comparison } of compared) {
      expect(comparison.differences).toEqual([]);
      expect(comparison.direct).toBeGreaterThanOrEqual(atLeast);
    }
  });

  test('negative control: a product that loses a parameter is noticed', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/families/untouched.ts',
      from: 'wire: inner,',
      to: "wire: { ...inner, query: inner.query.replace(/fieldValidation=[^&]*&?/, '') },",
    });
    const spec = 'FieldValidation should detect unknown and duplicate fields of a typed object';
    const only = named([spec]);
    const endpoint = 'clusters/{c}/proxy';
    const [direct, mutated] = await Promise.all([runDirectly(only), runThrough(endpoint, product, only)]);
    const { differences } = compare(direct, mutated);
    expect(differences).toMatchObject([{ passed: 'direct', spec: expect.stringContaining(spec) }]);
  });
});
