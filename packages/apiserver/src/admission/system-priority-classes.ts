/** Creates the PriorityClasses that kube-apiserver creates at its start. */

import { StatusError } from '@fleet/kube/status.ts';
import type { ObjectRegistry } from '../registry/registry.ts';

const critical = 2_000_000_000;

const classes = [
  {
    name: 'system-node-critical',
    value: critical + 1_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: critical,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

export async function ensureSystemPriorityClasses(registry: ObjectRegistry): Promise<void> {
  for (const { name, ...rest } of classes) {
    const object = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, ...rest };
    // With its defaults.
    const made = registry.create({ ...object, preemptionPolicy: 'PreemptLowerPriority' });
    await made.catch((error: unknown) => {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    });
  }
}
