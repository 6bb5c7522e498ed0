/** Runs Karmada's own end-to-end specs of its search proxy against a product, and returns how each ended. */

import type { Product } from '@fleet/bed/product.ts';
import type { Outcome } from '../report.ts';
import { named } from '../selection.ts';
import { KarmadaApiServer } from './api-server.ts';
import type { KarmadaScene } from './scene.ts';
import { runSuite } from './suite.ts';

/** The two containers in `search_test.go`. */
const searchSpecs = ['\\[karmada-search\\] karmada search testing', 'reconcile ResourceRegistry when clusters'];

/** A container whose specs are ordered does not run those behind one that failed: these are run again by themselves. */
export async function runSearchSpecs(scene: KarmadaScene): Promise<Map<string, Outcome>> {
  const outcomes = await runSpecs(scene, searchSpecs);
  for (const [spec, { message }] of outcomes) {
    if (!message?.includes('an earlier spec in an ordered container failed')) continue;
    const again = await runSpecs(scene, named([withoutNumber(spec)]).focus);
    const outcome = again.get(spec);
    if (outcome) outcomes.set(spec, outcome);
  }
  return outcomes;
}

const withoutNumber = (spec: string): string => spec.replace(/ \(\d+\)$/, '');

/** Throws when the specs could not be run. */
export async function runSpecs(
  scene: KarmadaScene,
  focus: readonly string[],
  product: Product = scene.product,
): Promise<Map<string, Outcome>> {
  await using apiServer = await KarmadaApiServer.start(product, scene.namespaces);
  return runSuite({
    server: { url: apiServer.url },
    beside: scene.members[0]!,
    flags: [
      ...['--poll-interval=1s', '--poll-timeout=60s', '--ginkgo.timeout=30m'],
      ...focus.map((pattern) => `--ginkgo.focus=${pattern}`),
    ],
  });
}
