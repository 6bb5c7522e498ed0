/** Karmada's own end-to-end specs of its search proxy: all pass but those that cannot, each with its reason (CACHE-1 to CACHE-15). */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reasonFor, searchReasons } from './src/karmada/reasons.ts';
import { runSearchSpecs, runSpecs } from './src/karmada/run-specs.ts';
import { type ControlPlaneKind, KarmadaScene } from './src/karmada/scene.ts';
import { searchSection } from './src/karmada/section.ts';
import { buildSpecs } from './src/karmada/suite.ts';
import { writeSection } from './src/page.ts';
import type { Outcome } from './src/report.ts';

const timeout = 40 * 60_000;
const runs: Partial<Record<ControlPlaneKind, Map<string, Outcome>>> = {};

beforeAll(() => buildSpecs(), timeout);

describe.each(['kube-apiserver', 'embedded'] as const)('with the control plane %s', (kind) => {
  let scene: KarmadaScene;
  beforeAll(async () => {
    scene = await KarmadaScene.start(kind);
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  test('every spec of search_test.go passes, or has a reason', { timeout }, async () => {
    const outcomes = await runSearchSpecs(scene);
    runs[kind] = outcomes;
    const lines = [...outcomes].map(([spec, { passed, message }]) => `${passed ? 'passed' : message}: ${spec}`);
    console.log(lines.join('\n'));
    const failed = [...outcomes].filter(([, { passed }]) => !passed).map(([spec]) => spec);
    expect(failed).toEqual([...outcomes.keys()].filter((spec) => reasonFor(searchReasons, spec)));
    expect(outcomes.size).toBeGreaterThanOrEqual(20);
  });

  test('negative control: objects without the annotation of their cluster are noticed', { timeout }, async () => {
    await using product = await scene.withMutant({
      file: 'server/src/target/families/aggregation.ts',
      from: "annotated: 'resource.karmada.io/cached-from-cluster'",
      to: "annotated: 'cluster.karmada.io/name'",
    });
    const outcomes = await runSpecs(scene, ['could get node'], product);
    expect([...outcomes.values()]).toMatchObject([{ passed: false }]);
  });
});

test.runIf(process.env['CONFORMANCE'] === 'long')('the page is up to date', async () => {
  const { embedded, 'kube-apiserver': own } = runs;
  if (!embedded || !own) throw new Error('one of them was not run');
  await writeSection(searchSection({ 'kube-apiserver': own, embedded }));
});
