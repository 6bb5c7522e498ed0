/** The CronJob kind: when the next run is due, and the Job of a run. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Job, JobSpec } from '../jobs/job.ts';
import { type ControllerKind, controllerRef } from '../shared/controller-ref.ts';
import type { Schedule } from './schedule.ts';
import { zonedText } from './time-zone.ts';

export interface JobReference {
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion?: string;
}

export interface CronJobStatus {
  active?: JobReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate: { metadata?: Partial<KubeObject['metadata']>; spec: JobSpec };
  };
  status?: CronJobStatus;
}

export const cronJobs: ControllerKind = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  root: 'apis/batch/v1',
  resource: 'cronjobs',
};

const manyMissed = 100;
/** In milliseconds: the shortest interval between two runs. */
const minute = 60_000;

export interface Due {
  /** The latest time at which a run was due; undefined if none was since the last run. */
  time: number | undefined;
  earliest: number;
  missed: 'none' | 'few' | 'many';
}

/** With `isLimited`, times before the starting deadline do not count. */
export function dueTime(cronJob: CronJob, schedule: Schedule, now: number, isLimited: boolean): Due {
  const { metadata, spec, status } = cronJob;
  let earliest = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  if (isLimited && spec.startingDeadlineSeconds !== undefined) {
    earliest = Math.max(earliest, now - spec.startingDeadlineSeconds * 1000);
  }
  const first = schedule.next(earliest);
  if (first === undefined || now < first) return { time: undefined, earliest, missed: 'none' };
  const second = schedule.next(first);
  if (second === undefined || now < second) return { time: first, earliest, missed: 'none' };
  // Not one by one: a schedule may have been missed for years.
  const between = Math.max(1, Math.round((second - first) / 1000));
  const count = Math.floor((now - first) / 1000 / between) + 1;
  let time: number | undefined;
  let next = schedule.next(first + (count - 2) * between * 1000);
  for (let seen = 0; next !== undefined && next <= now && seen < manyMissed; seen += 1) {
    time = next;
    next = schedule.next(next);
  }
  if (next !== undefined && next <= now) time = latest(schedule, next, now);
  return { time, earliest, missed: count > manyMissed ? 'many' : 'few' };
}

/** The last run until `now`, by bisection: a schedule such as `* * * 1 *` has tens of thousands of runs. */
function latest(schedule: Schedule, known: number, now: number): number {
  let [run, none] = [known, now];
  while (none - run >= minute) {
    const middle = Math.floor((run + none) / 2);
    const next = schedule.next(middle);
    if (next !== undefined && next <= now) run = next;
    else none = middle;
  }
  return run;
}

/** Until slightly after the next run, as timers sometimes fire early. */
export function millisUntilNext(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  const { time, earliest, missed } = dueTime(cronJob, schedule, now, false);
  const next = schedule.next(time ?? (missed === 'none' ? earliest : now));
  return next === undefined ? undefined : next + 100 - now;
}

/** Derived from the minute, so that no run happens twice. */
export const jobName = ({ metadata }: CronJob, time: number): string => `${metadata.name}-${Math.floor(time / minute)}`;

export function newJob(cronJob: CronJob, time: number): Job {
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, time),
      namespace: cronJob.metadata.namespace!,
      ...(metadata.labels ? { labels: metadata.labels } : {}),
      annotations: {
        ...metadata.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': zonedText(time, cronJob.spec.timeZone ?? ''),
      },
      ownerReferences: [controllerRef(cronJobs, cronJob)],
    },
    spec,
  };
}
