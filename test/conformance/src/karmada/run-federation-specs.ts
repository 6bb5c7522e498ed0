/** Runs Karmada's own end-to-end specs of its federation against a product, and returns how each ended. */

import type { Outcome } from '../report.ts';
import type { FederationScene } from './federation-scene.ts';
import { allSpecs } from './federation-selection.ts';
import { runSuite } from './suite.ts';

/** What a spec waits for without a time of its own is waited for seven minutes. */
const patience = ['--poll-interval=2s', '--poll-timeout=2m', '--ginkgo.timeout=4h'];

export const runFederationSpecs = (scene: FederationScene, flags: readonly string[]): Promise<Map<string, Outcome>> =>
  runSuite({ server: scene.server, beside: scene.members[0]!, flags: [...patience, ...flags] });

/** The names of all that are to be run. */
export async function federationSpecs(scene: FederationScene): Promise<string[]> {
  return [...(await runFederationSpecs(scene, [...allSpecs, '--ginkgo.dry-run'])).keys()];
}
