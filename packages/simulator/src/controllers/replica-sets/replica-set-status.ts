/** Computes the status of a ReplicaSet from its pods. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { conditionOf, withCondition, without } from '../shared/conditions.ts';
import type { Condition } from '../shared/objects.ts';
import { isAvailable } from '../shared/pod-availability.ts';
import { messageOf } from '../shared/pod-control.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { type ReplicaKind, type ReplicaSet, type ReplicaSetStatus, replicasOf } from './replica-set.ts';

export interface Seen {
  active: readonly Pod[];
  terminating: readonly Pod[];
  /** The error of creating or deleting pods. */
  failure: unknown;
}

export function replicaSetStatus(kind: ReplicaKind, set: ReplicaSet, seen: Seen, clock: ScaledTime): ReplicaSetStatus {
  const { active, terminating } = seen;
  const templateLabels = Object.entries(set.spec.template.metadata?.labels ?? {});
  const labeled = active.filter(({ metadata }) =>
    templateLabels.every(([key, value]) => metadata.labels?.[key] === value),
  );
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, clock));
  const conditions = conditionsOf(set, seen, clock);
  return {
    replicas: active.length,
    ...(labeled.length > 0 ? { fullyLabeledReplicas: labeled.length } : {}),
    ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
    ...(available.length > 0 ? { availableReplicas: available.length } : {}),
    ...(kind.countsTerminating ? { terminatingReplicas: terminating.length } : {}),
    ...(set.metadata.generation ? { observedGeneration: set.metadata.generation } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

function conditionsOf(set: ReplicaSet, { active, failure }: Seen, clock: ScaledTime): Condition[] {
  const conditions = set.status?.conditions ?? [];
  const known = conditionOf(conditions, 'ReplicaFailure');
  if (failure === undefined) return without(conditions, 'ReplicaFailure');
  if (known) return conditions;
  return withCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: timeText(clock.now()),
    reason: active.length < replicasOf(set) ? 'FailedCreate' : 'FailedDelete',
    message: messageOf(failure),
  });
}
