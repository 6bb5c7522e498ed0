/** Conditions of a pod that the API server itself sets. */

import { timeText } from '@fleet/kube/time-text.ts';

export interface PodCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
}

export interface PodStatus {
  phase?: string;
  qosClass?: string;
  observedGeneration?: number;
  conditions?: PodCondition[];
  nominatedNodeName?: string;
  [field: string]: unknown;
}

/** Replaces the condition of its type; the transition time changes only with the status. */
export function withCondition(status: PodStatus, condition: PodCondition, now: number): PodStatus {
  const conditions = status.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const isSame = old?.status === condition.status;
  const made: PodCondition = {
    ...condition,
    lastProbeTime: null,
    lastTransitionTime: isSame && old.lastTransitionTime ? old.lastTransitionTime : timeText(now),
  };
  return { ...status, conditions: old ? conditions.map((one) => (one === old ? made : one)) : [...conditions, made] };
}
