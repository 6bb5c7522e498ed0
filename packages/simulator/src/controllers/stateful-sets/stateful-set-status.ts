/** Computes the status of a StatefulSet from its pods. */

import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { isAvailable } from '../shared/pod-availability.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { desiredReplicas, revisionOf, type StatefulSet, type StatefulSetStatus } from './stateful-set.ts';

export interface Revisions {
  current: string;
  update: string;
  collisionCount: number;
}

export const isCreated = ({ status }: Pod): boolean => Boolean(status?.phase);

const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isReady(pod);

/** Fields are in the order of Kubernetes, and present where Go writes them. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update, collisionCount }: Revisions,
  clock: ScaledTime,
): StatefulSetStatus {
  const created = pods.filter(isCreated);
  const ready = created.filter(isRunningAndReady);
  const staying = created.filter(({ metadata }) => !metadata.deletionTimestamp);
  const of = (revision: string): number => staying.filter((pod) => revisionOf(pod) === revision).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    currentReplicas: of(current),
    updatedReplicas: of(update),
    availableReplicas: ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, clock)).length,
    currentRevision: current,
    updateRevision: update,
    collisionCount,
  };
}

/** A completed rolling update makes its revision the current one. */
export function completed(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const desired = desiredReplicas(set);
  const isThrough =
    (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate' &&
    status.updatedReplicas === desired &&
    status.readyReplicas === desired &&
    status.replicas === desired;
  return isThrough
    ? { ...status, currentReplicas: status.updatedReplicas!, currentRevision: status.updateRevision! }
    : status;
}

/** The form to write: zeros are omitted where Go omits them. */
export function writtenStatus(status: StatefulSetStatus): StatefulSetStatus {
  const { replicas, availableReplicas, collisionCount, ...rest } = status;
  const counted = Object.fromEntries(Object.entries(rest).filter(([, value]) => Boolean(value)));
  return { ...counted, replicas, availableReplicas, ...(collisionCount === undefined ? {} : { collisionCount }) };
}

/** Whether the difference has to be written. */
export const isInconsistent = ({ status }: StatefulSet, next: StatefulSetStatus): boolean =>
  (next.observedGeneration ?? 0) > (status?.observedGeneration ?? 0) ||
  next.replicas !== (status?.replicas ?? 0) ||
  next.availableReplicas !== (status?.availableReplicas ?? 0) ||
  (['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const).some(
    (field) => (next[field] ?? 0) !== (status?.[field] ?? 0),
  ) ||
  next.currentRevision !== status?.currentRevision ||
  next.updateRevision !== status?.updateRevision;
