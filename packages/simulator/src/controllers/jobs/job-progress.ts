/** The progress of a Job, from its status and its pods. */

import type { Pod } from '../../pods/pod.ts';
import { isActive, isReady, isTerminating } from '../../pods/pod-conditions.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { type Backoff, finishedAt, nextBackoff } from './backoff.ts';
import { judgeFailure } from './failure-policy.ts';
import { IndexSet, parseIndexes } from './indexes.ts';
import { indexOf, isIndexed, isPodFailed, isSuspended, isTracked, isValidIndex, type Job } from './job.ts';
import { allFailuresOf, failuresOf } from './job-pods.ts';

export interface JobProgress {
  active: Pod[];
  ready: number;
  terminating: number;
  succeeded: number;
  failed: number;
  /** Of Indexed Jobs: the indexes in the status, and those of pods that ended since. */
  recordedIndexes: IndexSet;
  succeededIndexes: IndexSet;
  /** If the Job has a backoff limit per index. */
  failedIndexes: IndexSet | undefined;
  /** The last pod of each index that failed and is not replaced yet. */
  lastFailed: Map<number, Pod>;
  backoff: Backoff | undefined;
}

export function jobProgress(job: Job, pods: readonly Pod[], known: Backoff | undefined): JobProgress {
  const { status = {}, spec } = job;
  const uncounted = { succeeded: [], failed: [], ...status.uncountedTerminatedPods } as Record<string, string[]>;
  const isNew = (pod: Pod, counted: readonly string[]): boolean =>
    isTracked(pod) && !counted.includes(pod.metadata.uid!) && (!isIndexed(job) || isValidIndex(indexOf(pod), job));
  const succeeded = pods.filter((pod) => pod.status?.phase === 'Succeeded' && isNew(pod, uncounted['succeeded']!));
  const failed = pods.filter((pod) => isPodFailed(pod, job) && isNew(pod, uncounted['failed']!));
  const countedFailures = failed.filter((pod) => judgeFailure(spec.podFailurePolicy, pod).isCounted);
  const active = pods.filter(isActive);
  const completions = spec.completions ?? 0;
  const recordedIndexes = parseIndexes(status.completedIndexes, completions);
  const ended = pods.filter(
    (pod) => isTracked(pod) && pod.status?.phase === 'Succeeded' && isValidIndex(indexOf(pod), job),
  );
  const succeededIndexes = recordedIndexes.with(ended.map((pod) => indexOf(pod)!));
  const failedIndexes = isIndexed(job) ? failedIndexesOf(job, pods) : undefined;
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: isIndexed(job)
      ? succeededIndexes.size
      : (status.succeeded ?? 0) + succeeded.length + uncounted['succeeded']!.length,
    failed: (status.failed ?? 0) + countedFailures.length + uncounted['failed']!.length,
    recordedIndexes,
    succeededIndexes,
    failedIndexes,
    lastFailed: failedIndexes ? lastFailedPods(job, pods, active, succeededIndexes, failedIndexes) : new Map(),
    backoff: nextBackoff(known, succeeded, failed),
  };
}

/** Undefined without a backoff limit per index. */
function failedIndexesOf(job: Job, pods: readonly Pod[]): IndexSet | undefined {
  const { backoffLimitPerIndex, podFailurePolicy, completions = 0 } = job.spec;
  if (backoffLimitPerIndex === undefined) return undefined;
  const failed: number[] = [];
  for (const pod of pods) {
    const index = indexOf(pod);
    if (!isValidIndex(index, job) || !isTracked(pod) || !isPodFailed(pod, job)) continue;
    const { isCounted, action } = judgeFailure(podFailurePolicy, pod);
    if (action === 'FailIndex' || (isCounted && failuresOf(pod) >= backoffLimitPerIndex)) failed.push(index);
  }
  return parseIndexes(job.status?.failedIndexes, completions).with(failed);
}

function lastFailedPods(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  succeeded: IndexSet,
  failed: IndexSet,
): Map<number, Pod> {
  const activeIndexes = new Set(active.map(indexOf));
  const last = new Map<number, Pod>();
  for (const pod of pods) {
    const index = indexOf(pod);
    if (!isTracked(pod) || !isPodFailed(pod, job) || !isValidIndex(index, job)) continue;
    if (succeeded.has(index) || failed.has(index) || activeIndexes.has(index)) continue;
    const known = last.get(index);
    const isLater = !known || (allFailuresOf(known) <= allFailuresOf(pod) && finishedAt(known) <= finishedAt(pod));
    if (isLater) last.set(index, pod);
  }
  return last;
}

/** How many pods are to be active. */
export function desiredActive({ spec }: Job, { succeeded }: JobProgress, active: number): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** The lowest indexes that have neither succeeded nor failed, and have no pod. */
export function pendingIndexes(
  job: Job,
  { active, succeededIndexes, failedIndexes }: JobProgress,
  terminating: readonly Pod[],
  count: number,
): number[] {
  const taken = [...active, ...terminating].map(indexOf).filter((index) => index !== undefined);
  return succeededIndexes
    .union(failedIndexes ?? new IndexSet())
    .with(taken)
    .firstMissing(count, job.spec.completions ?? 0);
}

/** Undefined without a deadline, or while the Job is suspended. */
export function millisUntilDeadline(job: Job, clock: ScaledTime): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || !job.status?.startTime || isSuspended(job)) return undefined;
  return Date.parse(job.status.startTime) + clock.millis(activeDeadlineSeconds) - clock.now();
}
