/** What suites of the federation propagate on simulated clusters. */

import { join } from 'node:path';
import type { SimulatedFleet } from './fleet.ts';

/** Joined already; run again it adds what federation needs (IMP-6). */
export async function joinFederation({ members, folder, product }: SimulatedFleet, kinds: string): Promise<void> {
  for (const name of members.keys()) {
    const kubeconfig = join(folder, `${name}.kubeconfig`);
    const { code, stderr } = await product.fleet('join', name, '--kubeconfig', kubeconfig, '--federation-kinds', kinds);
    if (code !== 0) throw new Error(`fleet join ${name}: ${stderr}`);
  }
}

export const deployment = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
});

export const byWeight = (name: string, weights: Record<string, number>) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }],
    placement: {
      clusterAffinity: { clusterNames: Object.keys(weights) },
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: Object.entries(weights).map(([cluster, weight]) => ({
            targetCluster: { clusterNames: [cluster] },
            weight,
          })),
        },
      },
    },
  },
});
