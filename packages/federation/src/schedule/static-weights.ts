/** The weights of candidates by the rules of a placement (FED-5). */

import { matcherOf } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { ReplicaScheduling } from '../api/policies.ts';
import { type SchedulableCluster, selectedCluster } from './candidates.ts';
import type { Weighted } from './divide.ts';

type WeightRules = NonNullable<NonNullable<ReplicaScheduling['weightPreference']>['staticWeightList']>;

/** Several matching rules: the largest weight. No rule for a cluster: it is left out. No rule matches any: all have 1. */
export function staticWeights(candidates: readonly SchedulableCluster[], rules: WeightRules = []): Weighted[] {
  const selected = candidates.map(selectedCluster);
  const named = new Map(selected.map((cluster) => [cluster.name, cluster]));
  const weights = new Map<string, number>();
  for (const { targetCluster, weight } of rules) {
    const matches = matcherOf(targetCluster);
    // Thousands of rules that name one cluster each are not tried on thousands of clusters.
    const names = targetCluster.clusterNames;
    const tried = names?.length ? names.flatMap((name) => named.get(name) ?? []) : selected;
    for (const cluster of tried) {
      if (weight > (weights.get(cluster.name) ?? 0) && matches(cluster)) weights.set(cluster.name, weight);
    }
  }
  if (weights.size === 0) return selected.map(({ name }) => ({ name, weight: 1 }));
  return Array.from(weights, ([name, weight]) => ({ name, weight }));
}
