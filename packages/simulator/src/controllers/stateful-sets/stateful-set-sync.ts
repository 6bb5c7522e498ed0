/** One look at the pods of a StatefulSet: in order of their ordinals, or all at once if it is Parallel. */

import type { Clock } from '../shared/clock.ts';
import type { ControllerRevision } from '../shared/controller-revision.ts';
import { templateOf } from '../shared/controller-revision.ts';
import type { Pod } from '../shared/objects.ts';
import type { NewPod } from '../shared/pod-control.ts';
import { isAvailable, isTerminal } from '../shared/pod-state.ts';
import { slowStart } from '../shared/slow-start.ts';
import {
  hasIdentity,
  isInRange,
  isParallel,
  newStatefulPod,
  ordinalOf,
  revisionOf,
  type StatefulSet,
  startOrdinal,
  wantedReplicas,
} from './stateful-set.ts';

/** What is done to the cluster. */
export interface StatefulWrites {
  hasStaleClaim(pod: NewPod): boolean;
  create(pod: NewPod): Promise<void>;
  update(pod: Pod): Promise<void>;
  delete(pod: Pod): Promise<void>;
  createClaims(pod: Pod): Promise<void>;
  isRetentionRight(pod: Pod): boolean;
  retainClaims(pod: Pod): Promise<void>;
}

export interface StatefulState {
  set: StatefulSet;
  pods: readonly Pod[];
  current: ControllerRevision;
  update: ControllerRevision;
}

interface Replica {
  ordinal: number;
  /** Undefined where it is not there yet. */
  pod: Pod | undefined;
}

/** How many pods lost the current revision by it, which the status counts already. */
export async function syncPods(state: StatefulState, writes: StatefulWrites, clock: Clock): Promise<number> {
  const { set, pods } = state;
  if (set.metadata.deletionTimestamp) return 0;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod)!, pod]));
  const replicas: Replica[] = Array.from({ length: wantedReplicas(set) }, (_, index) => {
    const ordinal = startOrdinal(set) + index;
    return { ordinal, pod: byOrdinal.get(ordinal) };
  });
  const condemned = pods
    .filter((pod) => !isInRange(set, ordinalOf(set, pod)!))
    .sort((left, right) => ordinalOf(set, right)! - ordinalOf(set, left)!);
  const isUnavailable = (pod: Pod | undefined): boolean =>
    !pod || !isAvailable(pod, set.spec.minReadySeconds ?? 0, clock) || pod.metadata.deletionTimestamp !== undefined;
  const firstUnavailable =
    replicas.find(({ pod }) => isUnavailable(pod)) ?? condemned.toReversed().find((pod) => isUnavailable(pod));

  if (await forAll(set, replicas, (replica) => processReplica(state, replica, writes, isUnavailable))) return 0;
  await forAll(set, condemned, async (pod) => {
    if (!writes.isRetentionRight(pod)) await writes.retainClaims(pod);
    return false;
  });
  const isStopped = await forAll(set, condemned, async (pod) => {
    if (pod.metadata.deletionTimestamp) return true;
    // The one that keeps the others from being ready may go before it is ready itself.
    const mayWait = !isParallel(set) && pod !== firstUnavailable;
    if (mayWait && isUnavailable(pod)) return true;
    await writes.delete(pod);
    return true;
  });
  if (isStopped || set.spec.updateStrategy?.type === 'OnDelete') return 0;
  return updateOne(state, replicas, writes, isUnavailable);
}

/** One after the other until one says stop, or all of them if the set is Parallel. */
async function forAll<T>(set: StatefulSet, items: readonly T[], act: (item: T) => Promise<boolean>): Promise<boolean> {
  if (isParallel(set)) {
    await slowStart(items.length, async (index) => void (await act(items[index]!)));
    return false;
  }
  for (const item of items) if (await act(item)) return true;
  return false;
}

/** Whether those after it have to wait. */
async function processReplica(
  state: StatefulState,
  { ordinal, pod }: Replica,
  writes: StatefulWrites,
  isUnavailable: (pod: Pod) => boolean,
): Promise<boolean> {
  const { set } = state;
  if (!pod) {
    const created = newPodOf(state, ordinal);
    if (writes.hasStaleClaim(created)) return true;
    await writes.create(created);
    return true;
  }
  if (isTerminal(pod)) {
    if (!pod.metadata.deletionTimestamp) await writes.delete(pod);
    return true;
  }
  if (pod.status?.phase === 'Pending') {
    await writes.createClaims(pod);
    await writes.retainClaims(pod);
  }
  if (!isParallel(set) && (isUnavailable(pod) || pod.status?.phase !== 'Running')) return true;
  if (!hasIdentity(set, pod, ordinal) || !writes.isRetentionRight(pod)) await writes.update(pod);
  return false;
}

/** Below the partition, or where no partition is set below those that have it, of the current revision. */
function newPodOf({ set, current, update }: StatefulState, ordinal: number): NewPod {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  const limit = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  const isCurrent = (type === 'RollingUpdate' || rollingUpdate !== undefined) && ordinal < startOrdinal(set) + limit;
  const revision = isCurrent ? current : update;
  return newStatefulPod(set, templateOf(revision), revision.metadata.name, ordinal);
}

/** From the highest ordinal down to the partition, each when those above it are available. */
async function updateOne(
  { set, update }: StatefulState,
  replicas: readonly Replica[],
  writes: StatefulWrites,
  isUnavailable: (pod: Pod | undefined) => boolean,
): Promise<number> {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const { pod } of replicas.slice(partition).reverse()) {
    if (pod && revisionOf(pod) !== update.metadata.name && !pod.metadata.deletionTimestamp) {
      await writes.delete(pod);
      return 1;
    }
    if (isUnavailable(pod)) return 0;
  }
  return 0;
}
