/** A Deployment that was propagated to two clusters without a fault, for tests that then break something. */

import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject, Condition } from '@fleet/federation/api/objects.ts';
import type { PropagationPolicy } from '@fleet/federation/api/policies.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { bindingOf } from '@fleet/federation/binding/binding-of.ts';
import { claimOf, withClaim } from '@fleet/federation/claim/claim-marks.ts';
import { workOf } from '@fleet/federation/work/work-of.ts';
import { type FederatedFleet, put } from './federated-fleet.ts';

export const deployment = (name: string, replicas: number, namespace = 'shop'): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
});

export const policy = (name: string, spec: Partial<PropagationPolicy['spec']> = {}): PropagationPolicy & AnyObject => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name, namespace: 'shop', labels: { 'propagationpolicy.karmada.io/permanent-id': `id-of-${name}` } },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }], ...spec },
});

export const byWeight = (weights: Record<string, number>): PropagationPolicy['spec']['placement'] => ({
  clusterAffinity: { clusterNames: Object.keys(weights) },
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: Object.entries(weights).map(([name, weight]) => ({
        targetCluster: { clusterNames: [name] },
        weight,
      })),
    },
  },
});

export const condition = (type: string, status: Condition['status'], reason: string, message = ''): Condition => ({
  ...{ type, status, reason, message },
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

export interface Propagated {
  template: AnyObject;
  binding: Binding;
  works: Map<string, Work>;
}

/** `web` of 6 replicas: 4 in tokyo, 2 in paris. */
export function propagated(
  fleet: FederatedFleet,
  more: { policy?: Partial<PropagationPolicy['spec']> } = {},
): Propagated {
  const { controlPlane } = fleet;
  const own = policy('web', { placement: byWeight({ tokyo: 2, paris: 1 })!, ...more.policy });
  put(controlPlane, 'policy.karmada.io', 'propagationpolicies', own);
  const claim = claimOf(own)!;
  const template = put(controlPlane, 'apps', 'deployments', withClaim(deployment('web', 6), claim));
  const binding = bindingOf({ template, policy: own, claim, permanentId: 'id-of-binding', replicas: { replicas: 6 } });
  const clusters = [
    { name: 'paris', replicas: 2 },
    { name: 'tokyo', replicas: 4 },
  ];
  const stored = putBinding(fleet, {
    ...binding,
    spec: { ...binding.spec, clusters },
    status: {
      conditions: [
        condition('Scheduled', 'True', 'Success', 'Binding has been scheduled successfully.'),
        condition('FullyApplied', 'True', 'FullyAppliedSuccess', 'All Works are applied'),
      ],
    },
  });
  const works = new Map(
    clusters.map(({ name, replicas }): [string, Work] => {
      fleet.join(name);
      const manifest = deployment('web', replicas);
      const work = workOf({ binding: stored, template, cluster: name, manifest, permanentId: name, suspended: false });
      putMemberObject(fleet, name, { ...manifest, status: { readyReplicas: replicas } });
      return [name, putWork(fleet, { ...work, status: appliedAs('Healthy') })];
    }),
  );
  return { template, binding: stored, works };
}

export const appliedAs = (health: 'Healthy' | 'Unhealthy' | 'Unknown'): NonNullable<Work['status']> => ({
  conditions: [condition('Applied', 'True', 'AppliedSuccessful', 'Manifest has been successfully applied')],
  manifestStatuses: [
    { identifier: { ordinal: 0, version: 'v1', kind: 'Deployment', resource: '', name: 'web' }, health },
  ],
});

export const notApplied = (message: string): NonNullable<Work['status']> => ({
  conditions: [condition('Applied', 'False', 'AppliedFailed', `Failed to apply all manifests (0/1): ${message}`)],
});

export const putBinding = ({ controlPlane }: FederatedFleet, binding: Binding): Binding =>
  put(controlPlane, 'work.karmada.io', 'resourcebindings', binding as unknown as AnyObject) as unknown as Binding;

export function putWork({ controlPlane }: FederatedFleet, work: Work): Work {
  const { objects } = controlPlane;
  const namespace = work.metadata.namespace!;
  const namespaces = { group: '', resource: 'namespaces' };
  if (!objects.find(namespaces, namespace))
    objects.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return put(controlPlane, 'work.karmada.io', 'works', work as unknown as AnyObject) as unknown as Work;
}

export const putMemberObject = ({ members }: FederatedFleet, cluster: string, object: AnyObject): AnyObject =>
  put(members.get(cluster)!, 'apps', 'deployments', object);
