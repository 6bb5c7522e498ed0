/** One sync of a StatefulSet's pods: in order of their ordinals, or all at once if it is Parallel. */

import type { Pod } from '../../pods/pod.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';
import type { ControllerRevision } from '../shared/controller-revision.ts';
import { templateOf } from '../shared/controller-revision.ts';
import { isAvailable } from '../shared/pod-availability.ts';
import type { NewPod } from '../shared/pod-control.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { slowStart } from '../shared/slow-start.ts';
import {
  desiredReplicas,
  hasIdentity,
  isInRange,
  isParallel,
  newStatefulPod,
  ordinalOf,
  revisionOf,
  type StatefulSet,
  startOrdinal,
} from './stateful-set.ts';

/** The writes to the cluster. */
export interface StatefulSetClient {
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

/** How many pods are created at most in one sync. */
const burst = 500;

interface Replica {
  ordinal: number;
  /** Undefined if it does not exist yet. */
  pod: Pod | undefined;
}

/** Returns how many pods have lost the current revision, which the status still counts. */
export async function syncPods(state: StatefulState, client: StatefulSetClient, clock: ScaledTime): Promise<number> {
  const { set, pods } = state;
  if (set.metadata.deletionTimestamp) return 0;
  const { replicas, isCut } = replicasOf(set, pods);
  const condemned = pods
    .filter((pod) => !isInRange(set, ordinalOf(set, pod)!))
    .sort((left, right) => ordinalOf(set, right)! - ordinalOf(set, left)!);
  const isUnavailable = (pod: Pod | undefined): boolean =>
    !pod || !isAvailable(pod, set.spec.minReadySeconds ?? 0, clock) || pod.metadata.deletionTimestamp !== undefined;
  const firstUnavailable =
    replicas.find(({ pod }) => isUnavailable(pod)) ?? condemned.toReversed().find((pod) => isUnavailable(pod));

  if (await forAll(set, replicas, (replica) => processReplica(state, replica, client, isUnavailable))) return 0;
  await forAll(set, condemned, async (pod) => {
    if (!client.isRetentionRight(pod)) await client.retainClaims(pod);
    return false;
  });
  const isStopped = await forAll(set, condemned, async (pod) => {
    if (pod.metadata.deletionTimestamp) return true;
    // The pod that blocks the others may be deleted before it is ready itself.
    const canWait = !isParallel(set) && pod !== firstUnavailable;
    if (canWait && isUnavailable(pod)) return true;
    await client.delete(pod);
    return true;
  });
  if (isStopped || isCut || set.spec.updateStrategy?.type === 'OnDelete') return 0;
  return updateOne(state, replicas, client, isUnavailable);
}

/** In order: existing pods, and the lowest missing ones, as many as one sync creates. The rest is not examined. */
function replicasOf(set: StatefulSet, pods: readonly Pod[]): { replicas: Replica[]; isCut: boolean } {
  const [start, end] = [startOrdinal(set), startOrdinal(set) + desiredReplicas(set)];
  const present = new Map(pods.map((pod) => [ordinalOf(set, pod)!, pod]));
  const replicas: Replica[] = [];
  for (const [ordinal, pod] of present) if (isInRange(set, ordinal)) replicas.push({ ordinal, pod });
  const most = Math.min(desiredReplicas(set), replicas.length + burst);
  for (let ordinal = start; ordinal < end && replicas.length < most; ordinal += 1) {
    if (!present.has(ordinal)) replicas.push({ ordinal, pod: undefined });
  }
  replicas.sort((left, right) => left.ordinal - right.ordinal);
  return { replicas, isCut: most < desiredReplicas(set) };
}

/** One after the other until one returns true, or all of them if the set is Parallel. */
async function forAll<T>(set: StatefulSet, items: readonly T[], act: (item: T) => Promise<boolean>): Promise<boolean> {
  if (isParallel(set)) {
    await slowStart(items.length, async (index) => void (await act(items[index]!)));
    return false;
  }
  for (const item of items) if (await act(item)) return true;
  return false;
}

/** Returns whether later pods have to wait. */
async function processReplica(
  state: StatefulState,
  { ordinal, pod }: Replica,
  client: StatefulSetClient,
  isUnavailable: (pod: Pod) => boolean,
): Promise<boolean> {
  const { set } = state;
  if (!pod) {
    const created = newPodOf(state, ordinal);
    if (client.hasStaleClaim(created)) return true;
    await client.create(created);
    return true;
  }
  if (isTerminal(pod)) {
    if (!pod.metadata.deletionTimestamp) await client.delete(pod);
    return true;
  }
  if (pod.status?.phase === 'Pending') {
    await client.createClaims(pod);
    await client.retainClaims(pod);
  }
  if (!isParallel(set) && (isUnavailable(pod) || pod.status?.phase !== 'Running')) return true;
  if (!hasIdentity(set, pod, ordinal) || !client.isRetentionRight(pod)) await client.update(pod);
  return false;
}

/** Of the current revision below the partition, or, without a partition, below the pods that have it. */
function newPodOf({ set, current, update }: StatefulState, ordinal: number): NewPod {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  const limit = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  const isCurrent = (type === 'RollingUpdate' || rollingUpdate !== undefined) && ordinal < startOrdinal(set) + limit;
  const revision = isCurrent ? current : update;
  return newStatefulPod(set, templateOf(revision), revision.metadata.name, ordinal);
}

/** From the highest ordinal down to the partition, each once those above it are available. */
async function updateOne(
  { set, update }: StatefulState,
  replicas: readonly Replica[],
  client: StatefulSetClient,
  isUnavailable: (pod: Pod | undefined) => boolean,
): Promise<number> {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  const updated = replicas.filter(({ ordinal }) => ordinal >= startOrdinal(set) + partition);
  for (const { pod } of updated.reverse()) {
    if (pod && revisionOf(pod) !== update.metadata.name && !pod.metadata.deletionTimestamp) {
      await client.delete(pod);
      return 1;
    }
    if (isUnavailable(pod)) return 0;
  }
  return 0;
}
