/** Kubernetes' own tests of workloads and of kubectl, on a member of the bed and on a simulated cluster. */

import { type Member, startMember } from '@fleet/bed/member.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, describeComparison } from './src/comparison.ts';
import { buildSuite, listSpecs } from './src/e2e.ts';
import { runEach } from './src/each-spec.ts';
import { directly } from './src/endpoints.ts';
import { writeSection } from './src/page.ts';
import type { Outcome } from './src/report.ts';
import { named } from './src/selection.ts';
import { type SimulatedProcess, startSimulated } from './src/simulated-cluster.ts';
import { simulatedSection } from './src/simulated-section.ts';
import {
  reasonFor,
  reasonsInTheSimulator,
  reasonsOnTheBed,
  shortSimulatedSelection,
  simulatedSelection,
} from './src/simulated-selection.ts';

const isLong = process.env['CONFORMANCE'] === 'long';
const selection = isLong ? simulatedSelection : shortSimulatedSelection;
const timeout = isLong ? 90 * 60_000 : 10 * 60_000;
/** They wait more than they compute. */
const atOnce = Number(process.env['CONFORMANCE_AT_ONCE'] ?? 8);

const running = new AsyncDisposableStack();
let member: Member;
let cluster: SimulatedProcess;

beforeAll(async () => {
  await buildSuite();
  // As many nodes as the simulated cluster has.
  member = running.use(await startMember({ name: 'member', nodes: 3 }));
  cluster = running.use(await startSimulated(member));
}, 20 * 60_000);

afterAll(() => running.disposeAsync());

type Outcomes = Map<string, Outcome>;

/** What is known not to pass is not waited for as long. */
const onMember = (specs: readonly string[]): Promise<Outcomes> =>
  runEach({
    ...{ member, at: directly(member), specs, atOnce },
    deadlineOf: (spec) => (reasonFor(reasonsOnTheBed, spec) ? '2m' : undefined),
    // kwok has a pod ready within milliseconds: some specs look before a controller has written that down.
    isTriedAgain: (spec) => reasonFor(reasonsOnTheBed, spec) === undefined,
  });

const onSimulated = (specs: readonly string[]): Promise<Outcomes> =>
  runEach({
    ...{ member, at: cluster.kubeconfig, specs, atOnce },
    deadlineOf: (spec) => (reasonFor(reasonsInTheSimulator, spec) ? '2m' : undefined),
  });

const unexplained = (outcomes: Outcomes, reasons: typeof reasonsOnTheBed): string[] =>
  failuresIn(outcomes).filter((spec) => reasonFor(reasons, spec) === undefined);

describe('what passes on a member of the bed passes on a simulated cluster', () => {
  test(`${isLong ? 'all' : 'ten'} specs`, { timeout }, async () => {
    const specs = await listSpecs(member, selection);
    expect(specs).toHaveLength(isLong ? 77 : 10);
    const [bed, simulated] = await Promise.all([onMember(specs), onSimulated(specs)]);
    const comparison = compare(bed, simulated);
    console.log(describeComparison(comparison));
    if (isLong) await writeSection(simulatedSection({ version: member.version, bed, simulated }));
    const lacking = comparison.differences.filter(({ passed }) => passed === 'direct').map(({ spec }) => spec);
    expect(lacking).toEqual([]);
    expect(unexplained(bed, reasonsOnTheBed)).toEqual([]);
    expect(unexplained(simulated, reasonsInTheSimulator)).toEqual([]);
  });

  test('negative control: a controller that keeps what it does not select is noticed', { timeout }, async () => {
    await using mutant = await startSimulated(member, {
      file: 'simulator/src/controllers/shared/controller-ref.ts',
      from: 'else if (!owner.metadata.deletionTimestamp) await release(object, claiming);',
      to: 'else claimed.push(object);',
    });
    const specs = await listSpecs(member, named(['ReplicationController should release no longer matching pods']));
    const runs = { member, specs, atOnce, deadlineOf: () => '1m' };
    expect(failuresIn(await runEach({ ...runs, at: cluster.kubeconfig }))).toEqual([]);
    expect(failuresIn(await runEach({ ...runs, at: mutant.kubeconfig }))).toEqual(specs);
  });
});

const failuresIn = (outcomes: Outcomes): string[] =>
  [...outcomes].filter(([, { passed }]) => !passed).map(([spec]) => spec);
