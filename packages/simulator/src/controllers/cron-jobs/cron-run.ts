/** Decides whether a CronJob runs now, and which Event it records if it does not. */

import { isTimeZone } from '@fleet/apiserver/kinds/cron-jobs/time-zone.ts';
import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import { type CronJob, dueTime, jobName, millisUntilNext } from './cron-job.ts';
import { parseSchedule, type Schedule } from './schedule.ts';

export type RecordEvent = (type: Parameters<EventRecorder['event']>[1], reason: string, message: string) => void;

export interface CronRun {
  /** The time of the run that starts now. */
  start?: number;
  /** In how many milliseconds to sync it again. */
  next?: number | undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** In the format of Go's time.RFC1123Z. */
const dateText = (millis: number): string => new Date(millis).toUTCString().replace('GMT', '+0000');

/** Undefined if it cannot be parsed; then an Event is recorded. */
export function scheduleOf({ spec }: CronJob, record: RecordEvent): Schedule | undefined {
  const { schedule, timeZone } = spec;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    record('Warning', 'UnknownTimeZone', `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`);
    return undefined;
  }
  if (schedule.includes('TZ')) {
    const where = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    const message = `CRON_TZ or TZ used in schedule "${schedule}" is not officially supported, see ${where} for more details`;
    record('Warning', 'UnsupportedSchedule', message);
  }
  try {
    return parseSchedule(schedule, timeZone);
  } catch (error) {
    record('Warning', 'UnparseableSchedule', `unparseable schedule: "${schedule}" : ${messageOf(error)}`);
    return undefined;
  }
}

export function cronRun(cronJob: CronJob, now: number, record: RecordEvent): CronRun {
  const { metadata, spec, status } = cronJob;
  if (metadata.deletionTimestamp || spec.suspend) return {};
  const schedule = scheduleOf(cronJob, record);
  if (!schedule) return {};
  const wait = { next: millisUntilNext(cronJob, schedule, now) };
  const { time, missed } = dueTime(cronJob, schedule, now, true);
  if (time === undefined) return wait;
  if (missed === 'many') {
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    record('Warning', 'TooManyMissedTimes', message);
  }
  if (spec.startingDeadlineSeconds !== undefined && time + spec.startingDeadlineSeconds * 1000 < now) {
    record('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${dateText(time)}`);
    return wait;
  }
  const active = status?.active ?? [];
  const hasRun =
    active.some(({ name }) => name === jobName(cronJob, time)) || Date.parse(status?.lastScheduleTime ?? '') === time;
  if (hasRun) return wait;
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    record('Normal', 'JobAlreadyActive', message);
    return wait;
  }
  return { start: time };
}
