/** Clusters and bindings of tests. */

import type { Binding, BindingSpec } from '../../api/bindings.ts';
import type { ReplicaScheduling } from '../../api/policies.ts';
import type { Member, SchedulableCluster } from '../candidates.ts';

export const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' };

const apiEnablements = [
  { groupVersion: 'v1', resources: [{ kind: 'ConfigMap' }] },
  { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] },
];

type Changes = Partial<SchedulableCluster['metadata']> &
  SchedulableCluster['spec'] &
  SchedulableCluster['status'] & { federated?: boolean; active?: boolean };

export function member(name: string, changes: Changes = {}): Member {
  const { federated = true, active = true, labels, deletionTimestamp, apiEnablements: served, ...spec } = changes;
  const metadata = { name, ...(labels && { labels }), ...(deletionTimestamp && { deletionTimestamp }) };
  return { cluster: { metadata, spec, status: { apiEnablements: served ?? apiEnablements } }, federated, active };
}

export const claimed = { 'propagationpolicy.karmada.io/permanent-id': '9b2d' };

export const binding = (spec: Partial<BindingSpec> = {}, more: Partial<Binding> = {}): Binding => ({
  metadata: { name: 'nginx-deployment', namespace: 'default', generation: 1, labels: claimed },
  ...more,
  spec: { resource: deployment, placement: {}, ...spec },
});

/** Divided by weights of clusters: `{ m1: 3, m2: 2 }`. */
export const weighted = (weights: Record<string, number>): ReplicaScheduling => ({
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: {
    staticWeightList: Object.entries(weights).map(([name, weight]) => ({
      targetCluster: { clusterNames: [name] },
      weight,
    })),
  },
});
