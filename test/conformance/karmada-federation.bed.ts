/** Karmada's own end-to-end specs of its federation: all pass but those that cannot, each with its reason (FED-1 to FED-5, FED-7 to FED-13, FED-15, FED-16, FED-24, EXP-2, EXP-3). */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { federationReasons } from './src/karmada/federation-reasons.ts';
import { FederationScene } from './src/karmada/federation-scene.ts';
import { federationSection } from './src/karmada/federation-section.ts';
import { batches, lastBatch } from './src/karmada/federation-selection.ts';
import { reasonFor } from './src/karmada/reasons.ts';
import { federationSpecs, runFederationSpecs } from './src/karmada/run-federation-specs.ts';
import { buildSpecs } from './src/karmada/suite.ts';
import { writeSection } from './src/page.ts';
import type { Outcome } from './src/report.ts';

const timeout = 90 * 60_000;
const outcomes = new Map<string, Outcome>();
let scene: FederationScene;

beforeAll(async () => {
  await buildSpecs();
  scene = await FederationScene.start();
}, timeout);
afterAll(() => scene?.[Symbol.asyncDispose]());

async function passes(flags: readonly string[]): Promise<void> {
  const run = await runFederationSpecs(scene, flags);
  for (const [spec, outcome] of run) outcomes.set(spec, outcome);
  console.log([...run].map(([spec, { passed, message }]) => `${passed ? 'passed' : message}: ${spec}`).join('\n'));
  const failed = [...run].filter(([, { passed }]) => !passed).map(([spec]) => spec);
  expect(failed).toEqual([...run.keys()].filter((spec) => reasonFor(federationReasons, spec)));
}

describe.concurrent('specs that do not disturb each other', () => {
  test.each([...batches])('every spec of %s passes, or has a reason', { timeout }, (_, flags) => passes(flags));
});

test('every spec that must be alone passes', { timeout }, () => passes(lastBatch));

test('each was run that can pass', { timeout }, async () => {
  const specs = await federationSpecs(scene);
  expect(specs.length).toBeGreaterThanOrEqual(97);
  const left = specs.filter((spec) => !outcomes.has(spec));
  expect(left.filter((spec) => !reasonFor(federationReasons, spec))).toEqual([]);
});

test.runIf(process.env['CONFORMANCE'] === 'long')('the page is up to date', { timeout }, async () => {
  await writeSection(federationSection(await federationSpecs(scene), outcomes));
});

test('negative control: a suspended Work without its condition is noticed', { timeout }, async () => {
  await scene.restartWith({
    file: 'federation/src/apply/apply-controller.ts',
    from: "{ type, status: 'False', reason: 'SuspendDispatching',",
    to: "{ type, status: 'True', reason: 'SuspendDispatching',",
  });
  const run = await runFederationSpecs(scene, ['--ginkgo.focus=suspend the PP dispatching', '--poll-timeout=20s']);
  expect([...run.values()]).toMatchObject([{ passed: false }]);
});
