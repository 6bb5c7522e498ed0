/** The binding that a template and its policy ask for (FED-1). */

import type { OwnerReference } from '@fleet/client/kube-client.ts';
import type { Binding, BindingSpec } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { type Claim, marksOf } from '../claim/claim-marks.ts';
import type { Replicas } from '../explore/object-rules.ts';
import { withDefaults } from '../policies/defaults.ts';
import { bindingName } from '../work/work-name.ts';

export const bindingIdLabels = {
  namespaced: 'resourcebinding.karmada.io/permanent-id',
  cluster: 'clusterresourcebinding.karmada.io/permanent-id',
} as const;

export const bindingFinalizers = {
  namespaced: 'karmada.io/binding-controller',
  cluster: 'karmada.io/cluster-resource-binding-controller',
} as const;

export interface BindingSource {
  template: AnyObject;
  policy: PropagationPolicy;
  /** The policy's, which it has once it has a permanent id. */
  claim: Claim;
  /** For a binding that is new; one that exists keeps its own. */
  permanentId: string;
  /** Undefined for kinds without replicas. */
  replicas?: Replicas;
}

/** A ResourceBinding, or a ClusterResourceBinding for a template without namespace. */
export function bindingOf({ template, policy, claim, permanentId, replicas }: BindingSource): Binding {
  const { kind, metadata } = template;
  const { namespace } = metadata;
  const scope = namespace ? 'namespaced' : 'cluster';
  const marks = marksOf(claim);
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
    metadata: {
      name: bindingName(kind, metadata.name),
      ...(namespace ? { namespace } : {}),
      labels: { ...marks.labels, [bindingIdLabels[scope]]: permanentId },
      annotations: marks.annotations,
      ownerReferences: [ownerOf(template)],
      finalizers: [bindingFinalizers[scope]],
    },
    spec: specOf(template, policy, replicas),
  };
}

export const ownerOf = ({ apiVersion, kind, metadata }: AnyObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** Karmada leaves out what is false or 0, except `preserveResourcesOnDeletion`. A placement is always there: without one it is a dependency (FED-11). */
function specOf(template: AnyObject, policy: PropagationPolicy, replicas: Replicas | undefined): BindingSpec {
  const { spec } = withDefaults(policy);
  const { preserveResourcesOnDeletion, suspension, failover } = spec;
  return {
    resource: referenceTo(template),
    ...(replicas?.replicas ? { replicas: replicas.replicas } : {}),
    ...(replicas?.requirements ? { replicaRequirements: replicas.requirements } : {}),
    ...(spec.propagateDeps ? { propagateDeps: true } : {}),
    schedulerName: spec.schedulerName,
    placement: spec.placement,
    ...(failover === undefined ? {} : { failover }),
    conflictResolution: spec.conflictResolution,
    ...(preserveResourcesOnDeletion === undefined ? {} : { preserveResourcesOnDeletion }),
    ...(suspension === undefined ? {} : { suspension }),
  };
}

export function referenceTo({ apiVersion, kind, metadata }: AnyObject): BindingSpec['resource'] {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}
