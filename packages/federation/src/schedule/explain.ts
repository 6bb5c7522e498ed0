/** What a schedule decides about each cluster, and why (FED-39). */

import type { Binding, BindingSpec } from '../api/bindings.ts';
import { byName } from './by-name.ts';
import { candidatesOf, type Member, type SchedulableCluster } from './candidates.ts';
import { type ScheduleOptions, type ScheduleResult, schedule } from './schedule.ts';
import { selectClusters } from './select-clusters.ts';
import { staticWeights } from './static-weights.ts';
import { hasReplicas, strategyOf } from './strategy.ts';

export type ClusterDecision =
  /** Without `replicas` the object has none. */
  { name: string; is: 'chosen'; replicas?: number } | { name: string; is: 'notChosen'; reason: string };

export interface Explanation {
  result: ScheduleResult;
  /** In the order of names. */
  clusters: ClusterDecision[];
}

export function explain(binding: Binding, members: readonly Member[], options: ScheduleOptions = {}): Explanation {
  const { spec } = binding;
  const { candidates, rejections } = candidatesOf(binding, members);
  const result = schedule(binding, members, options);
  const chosen = new Map(result.is === 'scheduled' ? result.clusters.map((target) => [target.name, target]) : []);
  const reasonFor = reasonsFor(spec, candidates, result);
  const decisions = candidates.map(({ metadata: { name } }): ClusterDecision => {
    const target = chosen.get(name);
    return target ? { ...target, is: 'chosen' } : { name, is: 'notChosen', reason: reasonFor(name) };
  });
  const rejected = rejections.map(({ name, reason }): ClusterDecision => ({ name, is: 'notChosen', reason }));
  return { result, clusters: [...decisions, ...rejected].sort(byName) };
}

/** Why a candidate was not chosen. */
function reasonsFor(
  spec: BindingSpec,
  candidates: readonly SchedulableCluster[],
  result: ScheduleResult,
): (name: string) => string {
  if (result.is !== 'scheduled') return () => result.message;
  const selected = selectClusters(spec, candidates) ?? [];
  const taken = new Set(selected.map(({ metadata }) => metadata.name));
  const weighted = new Set(weightedNames(spec, selected));
  return (name) => {
    if (!taken.has(name)) return 'the spread constraint takes other clusters';
    if (hasReplicas(spec) && (spec.replicas ?? 0) === 0) return 'the template has 0 replicas';
    return weighted.has(name) ? 'the division leaves it 0 replicas' : 'no weight rule matches it';
  };
}

function weightedNames({ placement = {} }: BindingSpec, selected: readonly SchedulableCluster[]): string[] {
  const isStatic = strategyOf(placement) === 'StaticWeight';
  const rules = isStatic ? placement.replicaScheduling?.weightPreference?.staticWeightList : undefined;
  return staticWeights(selected, rules).map(({ name }) => name);
}
