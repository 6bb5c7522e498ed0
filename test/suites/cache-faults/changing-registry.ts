/** A registry is given other namespaces, kinds and clusters, deleted and made again, while members are written to (CACHE-4). */

import { changing, type FaultyFleet } from './faulty-fleet.ts';
import { changingKinds, namespace, selectorsOf } from './kinds.ts';
import type { RegistrySpec } from './registry.ts';

const [first, second] = [changingKinds[0]!, changingKinds[1]!];

const changes: Readonly<Record<string, RegistrySpec | undefined>> = {
  'a kind was removed': { resourceSelectors: selectorsOf(first) },
  'a kind was added, of one namespace': {
    resourceSelectors: [...selectorsOf(first), ...selectorsOf(second).map((one) => ({ ...one, namespace }))],
  },
  'all namespaces were added': changing,
  'a cluster was removed': { ...changing, targetCluster: { exclude: ['member3'] } },
  'a cluster was added': { ...changing, targetCluster: {} },
  'it was deleted': undefined,
  'it was made again': { ...changing, targetCluster: {} },
};

/** Calls back after each change, when it has taken effect. */
export async function changeRegistries(
  { registries, churn }: FaultyFleet,
  onChange: (change: string) => Promise<void>,
): Promise<void> {
  churn.resume();
  for (const [change, spec] of Object.entries(changes)) {
    if (spec) {
      await registries.put('changing', spec);
      await registries.become('changing', 'AllSynced');
    } else await registries.remove('changing');
    await onChange(change);
  }
}
