/** Conditions in a status, as most of Kubernetes' controllers set them. */

import type { Condition } from './objects.ts';

export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((one) => one.type === type);

export const without = (conditions: readonly Condition[] | undefined, type: string): Condition[] =>
  (conditions ?? []).filter((one) => one.type !== type);

/** The same status and reason leave a condition as it is; the same status leaves the time of its last transition. */
export function withCondition(conditions: readonly Condition[] | undefined, condition: Condition): Condition[] {
  const known = conditionOf(conditions, condition.type);
  if (known && known.status === condition.status && known.reason === condition.reason) return [...conditions!];
  const since = known?.status === condition.status ? known.lastTransitionTime : undefined;
  return [
    ...without(conditions, condition.type),
    since === undefined ? condition : { ...condition, lastTransitionTime: since },
  ];
}
