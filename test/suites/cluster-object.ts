/** The Cluster objects of a fleet, as the control plane has them. */

import { expect } from 'vitest';
import type { Fleet } from './fleet.ts';

export interface Cluster {
  metadata: { resourceVersion: string; generation: number };
  spec: { taints?: { key: string; effect: string }[] };
  status: {
    kubernetesVersion?: string;
    apiEnablements?: { groupVersion: string; resources: { name: string; kind: string }[] }[];
    conditions: { type: string; status: string; reason: string; message: string }[];
    nodeSummary?: { totalNum: number; readyNum: number };
    resourceSummary?: Record<'allocatable' | 'allocating' | 'allocated', Record<string, string>>;
  };
}

/** Asked for anew each time; `fleet` is a function, as suites start theirs late. */
export function clustersOf(fleet: () => Fleet<string>) {
  const cluster = (name: string) =>
    fleet().controlPlane.api.object<Cluster>(`/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
  return {
    cluster,
    condition: async (name: string, type = 'Ready') =>
      (await cluster(name)).status?.conditions.find((one) => one.type === type),
    taints: async (name: string) =>
      ((await cluster(name)).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
    async patchCluster(name: string, patch: unknown): Promise<void> {
      const { code, stderr } = await fleet().controlPlane.kubectl(
        ...['patch', 'cluster', name, '--type=merge', '-p', JSON.stringify(patch)],
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  };
}
