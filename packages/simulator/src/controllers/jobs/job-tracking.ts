/** Counting pods of a Job that ended, exactly once: they keep a finalizer until the status knows them. */

import type { Condition, Pod } from '../shared/objects.ts';
import { judgeFailure } from './failure-policy.ts';
import { indexesText } from './indexes.ts';
import { indexOf, isIndexed, isPodFailed, isTracked, isValidIndex, type Job, type JobStatus } from './job.ts';
import type { JobProgress } from './job-progress.ts';

/** How many are written down before they are released. */
const mostUncounted = 500;

export interface Tracked {
  status: JobStatus;
  /** Pods whose finalizer goes once the status is written. */
  released: Pod[];
}

export function countedStatus(
  job: Job,
  status: JobStatus,
  pods: readonly Pod[],
  progress: JobProgress,
  outcome: Condition | undefined,
): Tracked {
  const known = status.uncountedTerminatedPods ?? {};
  const succeeded = [...(known.succeeded ?? [])];
  const failed = [...(known.failed ?? [])];
  const indexes = new Set(progress.recordedIndexes);
  const released: Pod[] = [];
  const isFailing = outcome !== undefined && outcome.type !== 'SuccessCriteriaMet';
  for (const pod of pods) {
    if (!isTracked(pod)) continue;
    const hasFailed = isPodFailed(pod, job);
    if (!canRelease(job, pod, progress, outcome, hasFailed)) continue;
    released.push(pod);
    const uid = pod.metadata.uid!;
    const index = indexOf(pod);
    const counts = !isIndexed(job) || isValidIndex(index, job);
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) {
        if (isValidIndex(index, job)) indexes.add(index);
      } else if (!succeeded.includes(uid)) succeeded.push(uid);
    } else if ((hasFailed || isFailing) && counts && !failed.includes(uid)) {
      if (judgeFailure(job.spec.podFailurePolicy, pod).isCounted) failed.push(uid);
    }
    if (succeeded.length + failed.length >= mostUncounted) break;
  }
  const next: JobStatus = {
    ...status,
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 ? { succeeded } : {}),
      ...(failed.length > 0 ? { failed } : {}),
    },
  };
  if (isIndexed(job)) {
    const { completedIndexes: _, succeeded: __, ...rest } = next;
    const all = new Set([...progress.succeededIndexes, ...indexes]);
    return {
      status: {
        ...rest,
        ...(all.size > 0 ? { succeeded: all.size, completedIndexes: indexesText(all) } : {}),
        ...(progress.failedIndexes ? { failedIndexes: indexesText(progress.failedIndexes) } : {}),
      },
      released,
    };
  }
  return { status: next, released };
}

function canRelease(
  job: Job,
  pod: Pod,
  { lastFailed }: JobProgress,
  outcome: Condition | undefined,
  hasFailed: boolean,
): boolean {
  if (job.metadata.deletionTimestamp || outcome || pod.status?.phase === 'Succeeded') return true;
  if (!hasFailed) return false;
  // The last failure of an index is kept until its pod is replaced: its annotations hold the count.
  const index = indexOf(pod);
  return index === undefined || lastFailed.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Those whose finalizers are gone are counted. */
export function withoutUncounted(status: JobStatus): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const total = { succeeded: (status.succeeded ?? 0) + succeeded.length, failed: (status.failed ?? 0) + failed.length };
  return {
    ...status,
    ...(total.succeeded > 0 ? { succeeded: total.succeeded } : {}),
    ...(total.failed > 0 ? { failed: total.failed } : {}),
    uncountedTerminatedPods: {},
  };
}
