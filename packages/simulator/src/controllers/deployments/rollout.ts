/** One sync of a Deployment: the steps of `syncDeployment` in Kubernetes' controller. */

import { isDeepStrictEqual } from 'node:util';
import { isTerminal } from '../../pods/pod-conditions.ts';
import { replicasOf } from '../replica-sets/replica-set.ts';
import { withCondition } from '../shared/conditions.ts';
import { controllerOf } from '../shared/controller-ref.ts';
import { ensuredSet, updatedSet } from './current-set.ts';
import { activeSets, actualReplicas, desiredReplicas, hasHistoryLimit, isRollingUpdate } from './deployment.ts';
import { deploymentStatus, isComplete, millisUntilLook, pausedCondition, rolloutStatus } from './deployment-status.ts';
import { newSetReplicas, oldSetSizes, scaledSizes } from './replica-counts.ts';
import { byRevision, desiredOf, rollbackTo } from './revisions.ts';
import { rolledBack } from './rollback.ts';
import type { RolloutState } from './rollout-state.ts';

/** Returns after how many milliseconds to sync it again, even without changes. */
export async function advanceRollout(state: RolloutState): Promise<number | undefined> {
  const { metadata, spec } = state.deployment;
  if (metadata.deletionTimestamp) {
    await writeStatus(state);
    return undefined;
  }
  await checkPaused(state);
  if (spec.paused) {
    await scale(state, true);
    return undefined;
  }
  if (metadata.annotations?.[rollbackTo]) {
    await rollBack(state);
    return undefined;
  }
  await updatedSet(state);
  const isScaled = activeSets(state.sets).some((set) => {
    const desired = desiredOf(set);
    return desired !== undefined && desired !== desiredReplicas(state.deployment);
  });
  if (isScaled) {
    await scale(state, false);
    return undefined;
  }
  return isRollingUpdate(state.deployment) ? rolling(state) : recreate(state);
}

async function checkPaused(state: RolloutState): Promise<void> {
  const next = pausedCondition(state.deployment, state.clock);
  if (next) await state.update({ conditions: withCondition(state.deployment.status?.conditions, next) });
}

async function scale(state: RolloutState, isPaused: boolean): Promise<void> {
  const current = await updatedSet(state);
  const { sizes, isForced } = scaledSizes(state.deployment, current, state.old);
  for (const { set, replicas } of sizes) await state.resize(set, replicas, isForced);
  if (isPaused && !state.deployment.metadata.annotations?.[rollbackTo]) await cleanUp(state);
  await writeStatus(state);
}

async function rolling(state: RolloutState): Promise<number | undefined> {
  const current = await ensuredSet(state);
  const desired = desiredReplicas(state.deployment);
  const replicas =
    replicasOf(current) > desired ? desired : newSetReplicas(state.deployment, state.sets, replicasOf(current));
  if (await state.resize(current, replicas)) return writeRollout(state);
  let isScaledDown = false;
  for (const size of oldSetSizes(state.deployment, activeSets(state.old), current)) {
    isScaledDown = (await state.resize(size.set, size.replicas)) || isScaledDown;
  }
  if (!isScaledDown && isComplete(state.deployment, state.deployment.status ?? {})) await cleanUp(state);
  return writeRollout(state);
}

async function recreate(state: RolloutState): Promise<number | undefined> {
  await updatedSet(state);
  let isScaledDown = false;
  for (const set of activeSets(state.old)) isScaledDown = (await state.resize(set, 0)) || isScaledDown;
  if (isScaledDown || hasOldPods(state)) return writeRollout(state);
  const current = state.current ?? (await ensuredSet(state));
  await state.resize(current, desiredReplicas(state.deployment));
  if (isComplete(state.deployment, state.deployment.status ?? {})) await cleanUp(state);
  return writeRollout(state);
}

function hasOldPods(state: RolloutState): boolean {
  const current = state.current?.metadata.uid;
  return (
    actualReplicas(state.old) > 0 || state.pods.some((pod) => controllerOf(pod)?.uid !== current && !isTerminal(pod))
  );
}

/** Deletes the oldest ReplicaSets in excess of the history limit. */
async function cleanUp(state: RolloutState): Promise<void> {
  if (!hasHistoryLimit(state.deployment)) return;
  const alive = state.old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision);
  const excess = alive.length - state.deployment.spec.revisionHistoryLimit!;
  for (const set of alive.slice(0, Math.max(0, excess))) {
    const { status, metadata } = set;
    const isObserved = (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
    if ((status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0 || !isObserved) continue;
    await state.client.deleteSet(set);
  }
}

async function rollBack(state: RolloutState): Promise<void> {
  await ensuredSet(state);
  const { deployment, type, reason, message } = rolledBack(state.deployment, state.sets);
  await state.client.update(deployment);
  state.client.event(type, reason, message);
}

async function writeStatus(state: RolloutState): Promise<void> {
  const status = deploymentStatus(state.deployment, state.sets, state.current, state.clock);
  if (!isDeepStrictEqual(status, state.deployment.status)) await state.setStatus(status);
}

async function writeRollout(state: RolloutState): Promise<number | undefined> {
  const deployment = state.deployment;
  const status = rolloutStatus(deployment, state.sets, state.current, state.clock);
  if (!isDeepStrictEqual(status, deployment.status)) {
    await state.setStatus(status);
    return undefined;
  }
  return millisUntilLook(deployment, status, state.clock);
}
