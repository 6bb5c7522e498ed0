/** Taints of clusters and the tolerations of a placement, with the semantics of nodes and pods. */

import type { Toleration } from '../api/objects.ts';

export interface ClusterTaint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

/** Other effects, such as PreferNoSchedule, keep nothing away. */
const effectsThatForbid = ['NoSchedule', 'NoExecute'];

/** The first taint that keeps an object away from the cluster. */
export const untoleratedTaint = (
  taints: readonly ClusterTaint[],
  tolerations: readonly Toleration[],
): ClusterTaint | undefined =>
  taints.find((taint) => effectsThatForbid.includes(taint.effect) && !tolerations.some((one) => tolerates(one, taint)));

/** An empty key or effect tolerates any; without an operator the values must be equal. */
function tolerates({ key, operator, value, effect }: Toleration, taint: ClusterTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (value ?? '') === (taint.value ?? '');
}

/** As Kubernetes writes a taint: `key=value:effect`, without what is empty. */
export const taintText = ({ key, value, effect }: ClusterTaint): string =>
  `${key}${value ? `=${value}` : ''}:${effect}`;
