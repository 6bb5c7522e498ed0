/** Texts of `Warning:` headers for fields of a policy that are stored but not honoured yet (FED-1). */

import type { Placement, PropagationPolicy, PropagationSpec } from '../api/policies.ts';
import { replicaSchedulingOf } from './defaults.ts';

interface Unhonoured {
  field: string;
  isSet(spec: PropagationSpec, placement: Placement): boolean;
  /** What happens instead. */
  instead: string;
}

const spreadFields = ['region', 'zone', 'provider'];

const isDividedBy = (placement: Placement, preference: 'Aggregated' | 'Weighted'): boolean => {
  const { replicaSchedulingType, replicaDivisionPreference } = replicaSchedulingOf(placement);
  return replicaSchedulingType === 'Divided' && replicaDivisionPreference === preference;
};

const unhonoured: readonly Unhonoured[] = [
  {
    field: 'spec.preemption',
    isSet: ({ preemption }) => preemption === 'Always',
    instead: 'a template stays with the policy that has it',
  },
  {
    field: 'spec.activationPreference',
    isSet: ({ activationPreference }) => activationPreference === 'Lazy',
    instead: 'changes of the policy apply at once',
  },
  { field: 'spec.failover', isSet: ({ failover }) => isGiven(failover), instead: 'nothing is evicted' },
  {
    field: 'spec.schedulePriority',
    isSet: ({ schedulePriority }) => isGiven(schedulePriority),
    instead: 'bindings are scheduled in the order of their changes',
  },
  {
    field: 'spec.association',
    isSet: ({ association }) => association === true,
    instead: 'use spec.propagateDeps',
  },
  {
    field: 'spec.placement.clusterAffinities',
    isSet: (_spec, { clusterAffinities }) => (clusterAffinities?.length ?? 0) > 1,
    instead: 'only the first term is used',
  },
  {
    field: 'spec.placement.replicaScheduling.weightPreference.dynamicWeight',
    isSet: (_spec, placement) =>
      isDividedBy(placement, 'Weighted') && !!placement.replicaScheduling?.weightPreference?.dynamicWeight,
    instead: 'all clusters have the same weight',
  },
  {
    field: 'spec.placement.replicaScheduling.replicaDivisionPreference: Aggregated',
    isSet: (_spec, placement) => isDividedBy(placement, 'Aggregated'),
    instead: 'all clusters have the same weight',
  },
  {
    field: 'spec.placement.spreadConstraints by region, zone or provider',
    isSet: (_spec, { spreadConstraints }) =>
      (spreadConstraints ?? []).some(({ spreadByField }) => spreadFields.includes(spreadByField ?? '')),
    instead: 'clusters only need to have the field',
  },
  {
    field: 'spec.placement.spreadConstraints by label',
    isSet: (_spec, { spreadConstraints }) => (spreadConstraints ?? []).some(({ spreadByLabel }) => !!spreadByLabel),
    instead: 'they are ignored',
  },
];

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export const unhonouredWarnings = ({ spec }: PropagationPolicy): string[] =>
  unhonoured
    .filter(({ isSet }) => isSet(spec, spec.placement ?? {}))
    .map(({ field, instead }) => `${field} is stored but not honoured yet: ${instead}`);
