/** Schedules a binding: finds the candidates, selects clusters among them, and divides the replicas (FED-4, FED-5). */

import type { Binding, BindingSpec, TargetCluster } from '../api/bindings.ts';
import { byName } from './by-name.ts';
import { candidatesOf, type Member, noFitMessage, type SchedulableCluster } from './candidates.ts';
import { divide } from './divide.ts';
import { selectClusters } from './select-clusters.ts';
import { staticWeights } from './static-weights.ts';
import { hasReplicas, strategyOf } from './strategy.ts';

export interface ScheduleOptions {
  /** `--federation-empty-workloads`: clusters that get no replicas keep the object, at 0. */
  emptyWorkloads?: boolean;
}

export type ScheduleResult =
  /** In the order of names; may be empty. */
  | { is: 'scheduled'; clusters: TargetCluster[] }
  /** `spec.clusters` becomes empty. */
  | { is: 'noFit'; message: string }
  /** The old result is kept, and scheduling is tried again with backoff. */
  | { is: 'unschedulable'; reason: 'Unschedulable' | 'SchedulerError'; message: string };

export function schedule(binding: Binding, members: readonly Member[], options: ScheduleOptions = {}): ScheduleResult {
  const fit = candidatesOf(binding, members);
  if (fit.candidates.length === 0) return { is: 'noFit', message: noFitMessage(fit) };
  const selected = selectClusters(binding.spec, fit.candidates);
  if (!selected) return { is: 'unschedulable', reason: 'SchedulerError', message: tooFewClusters };
  return { is: 'scheduled', clusters: assign(binding.spec, selected, options).sort(byName) };
}

const tooFewClusters =
  'failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups';

function assign(
  spec: BindingSpec,
  selected: readonly SchedulableCluster[],
  { emptyWorkloads = false }: ScheduleOptions,
): TargetCluster[] {
  const names = selected.map(({ metadata }) => metadata.name);
  if (!hasReplicas(spec)) return names.map((name) => ({ name }));
  const shares = new Map(sharesOf(spec, selected).map(({ name, replicas }) => [name, replicas]));
  return names
    .map((name) => ({ name, replicas: shares.get(name) ?? 0 }))
    .filter(({ replicas }) => emptyWorkloads || replicas > 0);
}

function sharesOf(spec: BindingSpec, selected: readonly SchedulableCluster[]): { name: string; replicas: number }[] {
  const { placement = {}, replicas = 0, resource } = spec;
  const strategy = strategyOf(placement);
  switch (strategy) {
    case 'Duplicated':
      return selected.map(({ metadata }) => ({ name: metadata.name, replicas }));
    case 'StaticWeight': {
      const rules = placement.replicaScheduling?.weightPreference?.staticWeightList;
      return divide(replicas, staticWeights(selected, rules), resource.uid);
    }
    // The available capacity of clusters is not known: all have the same weight.
    case 'DynamicWeight':
    case 'Aggregated':
      return divide(replicas, staticWeights(selected), resource.uid);
    default:
      return strategy satisfies never;
  }
}
