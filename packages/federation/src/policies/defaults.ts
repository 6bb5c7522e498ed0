/** A policy as the pipeline reads it: with the defaults that Karmada's admission webhooks would have stored (FED-2). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type {
  OverridePolicy,
  Placement,
  PropagationPolicy,
  PropagationSpec,
  ReplicaScheduling,
  ResourceSelector,
  SpreadConstraint,
} from '../api/policies.ts';

export const defaultScheduler = 'default-scheduler';

export interface DefaultedSpec extends PropagationSpec {
  placement: Placement;
  priority: number;
  conflictResolution: NonNullable<PropagationSpec['conflictResolution']>;
  schedulerName: string;
}

export interface DefaultedPolicy extends PropagationPolicy {
  spec: DefaultedSpec;
}

export function withDefaults(policy: PropagationPolicy): DefaultedPolicy {
  const { spec } = policy;
  const resourceSelectors = inNamespaceOf(policy, spec.resourceSelectors);
  return {
    ...policy,
    spec: {
      ...spec,
      resourceSelectors,
      placement: placementWithDefaults(spec.placement ?? {}),
      priority: spec.priority ?? 0,
      conflictResolution: spec.conflictResolution ?? 'Abort',
      schedulerName: spec.schedulerName || defaultScheduler,
      // A ServiceImport is nothing without what it depends on.
      ...(resourceSelectors.some(isServiceImport) ? { propagateDeps: true } : {}),
    },
  };
}

export function overrideWithDefaults(policy: OverridePolicy): OverridePolicy {
  const { resourceSelectors, ...spec } = policy.spec;
  if (!resourceSelectors) return policy;
  return { ...policy, spec: { ...spec, resourceSelectors: inNamespaceOf(policy, resourceSelectors) } };
}

/** How replicas are scheduled: no `replicaScheduling` at all is Duplicated, one without a type is Divided. */
export function replicaSchedulingOf({ replicaScheduling }: Placement): ReplicaScheduling & {
  replicaSchedulingType: 'Duplicated' | 'Divided';
  replicaDivisionPreference: 'Aggregated' | 'Weighted';
} {
  const { replicaSchedulingType, replicaDivisionPreference } = replicaScheduling ?? {};
  return {
    ...replicaScheduling,
    replicaSchedulingType: replicaSchedulingType ?? (replicaScheduling ? 'Divided' : 'Duplicated'),
    replicaDivisionPreference: replicaDivisionPreference ?? 'Weighted',
  };
}

/** An absent `replicaScheduling` stays absent, as Karmada stores it: bindings show the placement. */
function placementWithDefaults(placement: Placement): Placement {
  const { spreadConstraints, replicaScheduling } = placement;
  const { replicaSchedulingType, replicaDivisionPreference } = replicaSchedulingOf(placement);
  const preference = replicaSchedulingType === 'Divided' ? { replicaDivisionPreference } : {};
  return {
    ...placement,
    ...(spreadConstraints ? { spreadConstraints: spreadConstraints.map(constraintWithDefaults) } : {}),
    ...(replicaScheduling ? { replicaScheduling: { ...replicaScheduling, replicaSchedulingType, ...preference } } : {}),
  };
}

/** A constraint without a field is one by cluster. */
export function constraintWithDefaults(constraint: SpreadConstraint): SpreadConstraint {
  const { spreadByField, spreadByLabel, minGroups } = constraint;
  return {
    ...constraint,
    ...(spreadByField || spreadByLabel ? {} : { spreadByField: 'cluster' }),
    minGroups: minGroups || 1,
  };
}

/** The namespace of a cluster policy's selector has no default: it means every namespace. */
const inNamespaceOf = ({ metadata: { namespace } }: KubeObject, selectors: ResourceSelector[]): ResourceSelector[] =>
  namespace ? selectors.map((selector) => (selector.namespace ? selector : { ...selector, namespace })) : selectors;

const isServiceImport = ({ apiVersion, kind }: ResourceSelector): boolean =>
  apiVersion === 'multicluster.x-k8s.io/v1alpha1' && kind === 'ServiceImport';
