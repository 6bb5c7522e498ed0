/** Sets conditions in a status, as most of Kubernetes' controllers do. */

import type { Condition } from './objects.ts';

export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((one) => one.type === type);

export const without = (conditions: readonly Condition[] | undefined, type: string): Condition[] =>
  (conditions ?? []).filter((one) => one.type !== type);

/** With the same status and reason the condition is unchanged; with the same status it keeps its transition time. */
export function withCondition(conditions: readonly Condition[] | undefined, condition: Condition): Condition[] {
  const known = conditionOf(conditions, condition.type);
  if (known && known.status === condition.status && known.reason === condition.reason) return [...conditions!];
  const since = known?.status === condition.status ? known.lastTransitionTime : undefined;
  return [
    ...without(conditions, condition.type),
    since === undefined ? condition : { ...condition, lastTransitionTime: since },
  ];
}
