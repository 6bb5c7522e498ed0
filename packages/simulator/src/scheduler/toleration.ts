/** Matches tolerations with taints: `ToleratesTaint` of k8s.io/api/core/v1. */

import type { Toleration } from '../pods/pod.ts';

interface TaintLike {
  key: string;
  value?: string;
  effect: string;
}

export function tolerates({ key, operator, value, effect }: Toleration, taint: TaintLike): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  // An empty key with `Exists` tolerates every taint.
  if (operator === 'Exists') return true;
  if (operator && operator !== 'Equal') return false;
  return Boolean(key) && (value ?? '') === (taint.value ?? '');
}

const keepsAway = ({ effect }: TaintLike): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

/** Whether a taint keeps the pod from being scheduled. PreferNoSchedule only lowers a node's score. */
export const isKeptAway = (taints: readonly TaintLike[], tolerations: readonly Toleration[]): boolean =>
  taints.some((taint) => keepsAway(taint) && !tolerations.some((one) => tolerates(one, taint)));
