/** Computes the status of a Deployment from its ReplicaSets, and the progress of its rollout. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import { conditionOf, withCondition, without } from '../shared/conditions.ts';
import type { Condition } from '../shared/objects.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import {
  actualReplicas,
  availableReplicas,
  type Deployment,
  type DeploymentStatus,
  desiredReplicas,
  hasProgressDeadline,
  maxUnavailable,
  readyReplicas,
  specReplicas,
  terminatingReplicas,
} from './deployment.ts';

export function condition(clock: ScaledTime, type: string, status: string, reason: string, message: string): Condition {
  const now = timeText(clock.now());
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

const counted = (counts: Record<string, number | undefined>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => Boolean(entry[1])));

export function deploymentStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  clock: ScaledTime,
): DeploymentStatus {
  const available = availableReplicas(all);
  const terminating = terminatingReplicas(all);
  const { collisionCount, conditions } = deployment.status ?? {};
  const isAvailable = available >= desiredReplicas(deployment) - maxUnavailable(deployment);
  return {
    ...counted({
      observedGeneration: deployment.metadata.generation,
      replicas: actualReplicas(all),
      updatedReplicas: newSet ? actualReplicas([newSet]) : 0,
      readyReplicas: readyReplicas(all),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, specReplicas(all) - available),
    }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withCondition(
      conditions,
      isAvailable
        ? condition(clock, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
        : condition(
            clock,
            'Available',
            'False',
            'MinimumReplicasUnavailable',
            'Deployment does not have minimum availability.',
          ),
    ),
  };
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const desired = desiredReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function isProgressing({ status: before = {} }: Deployment, status: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (status.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(status) < old(before) ||
    (status.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (status.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Until the progress deadline; negative once it has passed. */
function millisUntilTimeout(deployment: Deployment, progressing: Condition, clock: ScaledTime): number {
  const since = Date.parse(progressing.lastUpdateTime ?? '') || 0;
  return since + clock.millis(deployment.spec.progressDeadlineSeconds ?? 0) - clock.now();
}

function isTimedOut(deployment: Deployment, { conditions }: DeploymentStatus, clock: ScaledTime): boolean {
  const progressing = conditionOf(conditions, 'Progressing');
  if (!progressing || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  return millisUntilTimeout(deployment, progressing, clock) < 0;
}

/** After how long a rollout in progress is synced again, to see whether it has timed out. */
export function millisUntilLook(
  deployment: Deployment,
  status: DeploymentStatus,
  clock: ScaledTime,
): number | undefined {
  const progressing = conditionOf(status.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || !progressing) return undefined;
  if (isComplete(deployment, status) || progressing.reason === 'ProgressDeadlineExceeded') return undefined;
  return Math.max(0, millisUntilTimeout(deployment, progressing, clock)) + clock.millis(1);
}

/** The condition of a Deployment that was paused or resumed; a rollout that has timed out keeps its condition. */
export function pausedCondition(deployment: Deployment, clock: ScaledTime): Condition | undefined {
  const { spec, status } = deployment;
  const progressing = conditionOf(status?.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || progressing?.reason === 'ProgressDeadlineExceeded') return undefined;
  const wasPaused = progressing?.reason === 'DeploymentPaused';
  if (Boolean(spec.paused) === wasPaused) return undefined;
  return spec.paused
    ? condition(clock, 'Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused')
    : condition(clock, 'Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
}

/** As `deploymentStatus`, with the conditions of a rollout. */
export function rolloutStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  clock: ScaledTime,
): DeploymentStatus {
  const status = deploymentStatus(deployment, all, newSet, clock);
  const known = conditionOf(deployment.status?.conditions, 'Progressing');
  const isCompleted =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && known?.reason === 'NewReplicaSetAvailable';
  const who = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  let { conditions = [] } = status;
  if (!hasProgressDeadline(deployment)) conditions = without(conditions, 'Progressing');
  else if (isCompleted) {
    // A complete rollout needs no further condition.
  } else if (isComplete(deployment, status)) {
    conditions = withCondition(
      conditions,
      condition(clock, 'Progressing', 'True', 'NewReplicaSetAvailable', `${who} has successfully progressed.`),
    );
  } else if (isProgressing(deployment, status)) {
    const next = condition(clock, 'Progressing', 'True', 'ReplicaSetUpdated', `${who} is progressing.`);
    if (known?.status === 'True' && known.lastTransitionTime) next.lastTransitionTime = known.lastTransitionTime;
    conditions = [...without(conditions, 'Progressing'), next];
  } else if (isTimedOut(deployment, status, clock)) {
    conditions = withCondition(
      conditions,
      condition(clock, 'Progressing', 'False', 'ProgressDeadlineExceeded', `${who} has timed out progressing.`),
    );
  }
  const failure = replicaFailure(all, newSet);
  conditions = failure ? withCondition(conditions, failure) : without(conditions, 'ReplicaFailure');
  return { ...status, conditions };
}

/** The new ReplicaSet's condition takes precedence over those of others. */
function replicaFailure(all: readonly ReplicaSet[], newSet: ReplicaSet | undefined): Condition | undefined {
  const failures = [...(newSet ? [newSet] : []), ...all].flatMap(
    ({ status }) => conditionOf(status?.conditions, 'ReplicaFailure') ?? [],
  );
  const [first] = failures;
  return first && { ...first, ...(first.lastTransitionTime ? { lastUpdateTime: first.lastTransitionTime } : {}) };
}
