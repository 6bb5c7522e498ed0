/** Conditions of bindings and Works, and whether a binding is applied everywhere (FED-16). */

import { isDeepStrictEqual } from 'node:util';
import type { AggregatedStatusItem, BindingSpec } from '../api/bindings.ts';
import type { Condition } from '../api/objects.ts';

export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** The same list if it has the condition. `lastTransitionTime` is `now` only where the status is another one than before. */
export function withCondition(known: Condition[], condition: NewCondition, now: string): Condition[] {
  const index = known.findIndex(({ type }) => type === condition.type);
  const before = known[index];
  if (!before) return [...known, { ...condition, lastTransitionTime: now }];
  const isSame = before.status === condition.status;
  const after = { ...before, ...condition, lastTransitionTime: isSame ? before.lastTransitionTime : now };
  return isDeepStrictEqual(before, after) ? known : known.with(index, after);
}

/** True if every cluster of the binding, and no other one, reports that the object is applied. */
export function fullyApplied(spec: BindingSpec, items: readonly AggregatedStatusItem[]): NewCondition {
  const clusters = clustersOf(spec);
  const isEverywhere =
    clusters.size > 0 &&
    items.length === clusters.size &&
    items.every(({ clusterName, applied }) => applied === true && clusters.has(clusterName));
  return isEverywhere
    ? { type: 'FullyApplied', status: 'True', reason: 'FullyAppliedSuccess', message: 'All Works are applied' }
    : {
        type: 'FullyApplied',
        status: 'False',
        reason: 'FullyAppliedFailed',
        message: 'Not all Works are applied, see status.aggregatedStatus',
      };
}

/** The clusters that the binding is scheduled to, those of its parents, and those with an eviction that is not over. */
export function clustersOf({ clusters, requiredBy, gracefulEvictionTasks }: BindingSpec): Set<string> {
  const tasks: readonly EvictionTask[] = gracefulEvictionTasks ?? [];
  return new Set([
    ...(clusters ?? []).map(({ name }) => name),
    ...(requiredBy ?? []).flatMap(({ clusters = [] }) => clusters.map(({ name }) => name)),
    ...tasks.filter(isGraceful).map(({ fromCluster }) => fromCluster),
  ]);
}

interface EvictionTask {
  fromCluster: string;
  purgeMode?: string;
}

/** `Immediately` is the older name of `Directly`. */
const isGraceful = ({ purgeMode }: EvictionTask): boolean => purgeMode !== 'Directly' && purgeMode !== 'Immediately';
