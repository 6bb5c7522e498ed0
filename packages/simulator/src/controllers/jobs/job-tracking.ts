/** Counts ended pods of a Job exactly once: they keep a finalizer until the status includes them. */

import type { Pod } from '../../pods/pod.ts';
import type { Condition } from '../shared/objects.ts';
import { judgeFailure } from './failure-policy.ts';
import { indexOf, isIndexed, isPodFailed, isTracked, isValidIndex, type Job, type JobStatus } from './job.ts';
import type { JobProgress } from './job-progress.ts';

/** How many uncounted pods a status lists at most. */
const mostUncounted = 500;

export interface Tracked {
  status: JobStatus;
  /** Pods whose finalizer is removed once the status is written. */
  released: Pod[];
  /** There may be more pods to count: the Job cannot be finished yet. */
  isCut: boolean;
}

/** Uids of the pods that are not counted yet. */
export const trackedUids = (pods: readonly Pod[]): Set<string> =>
  new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid!));

export function countedStatus(
  job: Job,
  before: JobStatus,
  pods: readonly Pod[],
  progress: JobProgress,
  outcome: Condition | undefined,
): Tracked {
  // First drops released pods of an earlier sync.
  const status = withoutReleased(before, trackedUids(pods));
  const known = status.uncountedTerminatedPods ?? {};
  const succeeded = new Set(known.succeeded);
  const failed = new Set(known.failed);
  const newIndexes = new Set<number>();
  const released: Pod[] = [];
  const isFailing = outcome !== undefined && outcome.type !== 'SuccessCriteriaMet';
  let isCut = false;
  for (const pod of isIndexed(job) ? pods.toSorted(byIndex) : pods) {
    if (!isTracked(pod)) continue;
    const hasFailed = isPodFailed(pod, job);
    if (!canRelease(job, pod, progress, outcome, hasFailed)) continue;
    released.push(pod);
    const uid = pod.metadata.uid!;
    const index = indexOf(pod);
    const counts = !isIndexed(job) || isValidIndex(index, job);
    if (pod.status?.phase === 'Succeeded' && !failed.has(uid)) {
      if (!isIndexed(job)) succeeded.add(uid);
      else if (isValidIndex(index, job) && !progress.recordedIndexes.has(index)) newIndexes.add(index);
    } else if ((hasFailed || isFailing) && counts) {
      if (judgeFailure(job.spec.podFailurePolicy, pod).isCounted) failed.add(uid);
    }
    isCut = newIndexes.size + succeeded.size + failed.size >= mostUncounted;
    if (isCut) break;
  }
  const uncountedTerminatedPods = uncounted([...succeeded], [...failed]);
  if (!isIndexed(job)) return { status: { ...status, uncountedTerminatedPods }, released, isCut };
  const { completedIndexes: _, succeeded: __, ...rest } = status;
  const { succeededIndexes, failedIndexes } = progress;
  const all = succeededIndexes.with(newIndexes);
  return {
    status: {
      ...rest,
      uncountedTerminatedPods,
      ...(all.size > 0 ? { succeeded: all.size, completedIndexes: String(all) } : {}),
      ...(failedIndexes ? { failedIndexes: String(failedIndexes) } : {}),
    },
    released,
    isCut,
  };
}

/** Pods without an index first. */
const byIndex = (left: Pod, right: Pod): number => (indexOf(left) ?? -1) - (indexOf(right) ?? -1);

const uncounted = (succeeded: readonly string[], failed: readonly string[]) => ({
  ...(succeeded.length > 0 ? { succeeded: [...succeeded] } : {}),
  ...(failed.length > 0 ? { failed: [...failed] } : {}),
});

function canRelease(
  job: Job,
  pod: Pod,
  { lastFailed }: JobProgress,
  outcome: Condition | undefined,
  hasFailed: boolean,
): boolean {
  if (job.metadata.deletionTimestamp || outcome || pod.status?.phase === 'Succeeded') return true;
  if (!hasFailed) return false;
  // The last failed pod of an index is kept until it is replaced: its annotations hold the failure count.
  const index = indexOf(pod);
  return index === undefined || lastFailed.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Counts the pods whose finalizers are removed. */
export function withoutReleased(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  const total = {
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
  };
  return {
    ...status,
    ...(total.succeeded > 0 ? { succeeded: total.succeeded } : {}),
    ...(total.failed > 0 ? { failed: total.failed } : {}),
    uncountedTerminatedPods: uncounted(left.succeeded, left.failed),
  };
}
