/** How a placement assigns replicas, with the defaults of FED-2. */

import type { BindingSpec } from '../api/bindings.ts';
import type { Placement } from '../api/policies.ts';

export type Strategy = 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated';

export function strategyOf({ replicaScheduling }: Placement): Strategy {
  if (!replicaScheduling || replicaScheduling.replicaSchedulingType === 'Duplicated') return 'Duplicated';
  if (replicaScheduling.replicaDivisionPreference === 'Aggregated') return 'Aggregated';
  return replicaScheduling.weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight';
}

const componentsOf = ({ components }: BindingSpec): number => (Array.isArray(components) ? components.length : 0);

/** 0 replicas without requests count as no workload (FED-5). */
export const isWorkload = (spec: BindingSpec): boolean =>
  (spec.replicas ?? 0) > 0 || Boolean(spec.replicaRequirements) || componentsOf(spec) > 0;

/** Several components are scheduled as a whole (FED-35). */
export const hasReplicas = (spec: BindingSpec): boolean => isWorkload(spec) && componentsOf(spec) <= 1;

/** Replicas that were divided move only for a reason (FED-17). */
export const isDivided = (spec: BindingSpec): boolean =>
  isWorkload(spec) && strategyOf(spec.placement ?? {}) !== 'Duplicated';
