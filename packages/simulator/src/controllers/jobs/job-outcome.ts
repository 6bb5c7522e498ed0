/** Decides the outcome of a Job: the condition SuccessCriteriaMet or FailureTarget, which precedes Complete or Failed. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { Pod } from '../../pods/pod.ts';
import { conditionOf } from '../shared/conditions.ts';
import type { Condition } from '../shared/objects.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { judgeFailure } from './failure-policy.ts';
import { isIndexed, isPodFailed, type Job } from './job.ts';
import { type JobProgress, millisUntilDeadline } from './job-progress.ts';
import { metSuccessRule } from './success-policy.ts';

export function jobCondition(
  clock: ScaledTime,
  type: string,
  status: string,
  reason: string,
  message: string,
): Condition {
  const now = timeText(clock.now());
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export const completionsReached = (clock: ScaledTime): Condition =>
  jobCondition(clock, 'SuccessCriteriaMet', 'True', 'CompletionsReached', 'Reached expected number of succeeded pods');

/** Undefined while the Job continues. `Failed` if FailureTarget was set before. */
export function jobOutcome(
  job: Job,
  pods: readonly Pod[],
  progress: JobProgress,
  clock: ScaledTime,
): Condition | undefined {
  const { status, spec } = job;
  const met = conditionOf(status?.conditions, 'SuccessCriteriaMet');
  if (met?.status === 'True') return met;
  const target = conditionOf(status?.conditions, 'FailureTarget');
  if (target?.status === 'True') {
    return jobCondition(clock, 'Failed', 'True', target.reason ?? '', target.message ?? '');
  }
  const fail = (reason: string, message: string): Condition =>
    jobCondition(clock, 'FailureTarget', 'True', reason, message);
  const message = policyFailure(job, pods);
  if (message !== undefined) return fail('PodFailurePolicy', message);
  if (progress.failed > (spec.backoffLimit ?? 6) || exceedsRestarts(job, pods)) {
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if ((millisUntilDeadline(job, clock) ?? 1) <= 0) {
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  if (!isIndexed(job)) return undefined;
  const { failedIndexes, succeededIndexes } = progress;
  if (failedIndexes) {
    if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
      return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
    }
    if (failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= (spec.completions ?? 0)) {
      return fail('FailedIndexes', 'Job has failed indexes');
    }
  }
  const rule = metSuccessRule(spec, succeededIndexes);
  return rule === undefined ? undefined : jobCondition(clock, 'SuccessCriteriaMet', 'True', 'SuccessPolicy', rule);
}

function policyFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (!job.spec.podFailurePolicy) return undefined;
  for (const pod of pods) {
    if (!isPodFailed(pod, job)) continue;
    const { message } = judgeFailure(job.spec.podFailurePolicy, pod);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** If containers are restarted in place, their restarts count. */
function exceedsRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const limit = spec.backoffLimit ?? 6;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((total, { restartCount = 0 }) => total + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
