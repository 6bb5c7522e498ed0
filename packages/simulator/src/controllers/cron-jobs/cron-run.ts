/** Whether a CronJob runs now, and what is reported if it does not. */

import type { EventRecorder } from '@fleet/client/event-recorder.ts';
import { type CronJob, dueTime, jobName, millisUntilNext } from './cron-job.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { isTimeZone } from './time-zone.ts';

export type Told = (type: Parameters<EventRecorder['event']>[1], reason: string, message: string) => void;

export interface CronRun {
  /** The time of the run that begins now. */
  start?: number;
  /** After which it is looked at again. */
  next?: number | undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** As Go's time.RFC1123Z writes it. */
const dateText = (millis: number): string => new Date(millis).toUTCString().replace('GMT', '+0000');

/** Undefined where it cannot be read, which is reported. */
export function scheduleOf({ spec }: CronJob, tell: Told): Schedule | undefined {
  const { schedule, timeZone } = spec;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    tell('Warning', 'UnknownTimeZone', `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`);
    return undefined;
  }
  if (schedule.includes('TZ')) {
    const where = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    const message = `CRON_TZ or TZ used in schedule "${schedule}" is not officially supported, see ${where} for more details`;
    tell('Warning', 'UnsupportedSchedule', message);
  }
  try {
    return parseSchedule(schedule, timeZone);
  } catch (error) {
    tell('Warning', 'UnparseableSchedule', `unparseable schedule: "${schedule}" : ${messageOf(error)}`);
    return undefined;
  }
}

export function cronRun(cronJob: CronJob, now: number, tell: Told): CronRun {
  const { metadata, spec, status } = cronJob;
  if (metadata.deletionTimestamp || spec.suspend) return {};
  const schedule = scheduleOf(cronJob, tell);
  if (!schedule) return {};
  const wait = { next: millisUntilNext(cronJob, schedule, now) };
  const { time, missed } = dueTime(cronJob, schedule, now, true);
  if (time === undefined) return wait;
  if (missed === 'many') {
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    tell('Warning', 'TooManyMissedTimes', message);
  }
  if (spec.startingDeadlineSeconds !== undefined && time + spec.startingDeadlineSeconds * 1000 < now) {
    tell('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${dateText(time)}`);
    return wait;
  }
  const active = status?.active ?? [];
  const hasRun =
    active.some(({ name }) => name === jobName(cronJob, time)) || Date.parse(status?.lastScheduleTime ?? '') === time;
  if (hasRun) return wait;
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    tell('Normal', 'JobAlreadyActive', message);
    return wait;
  }
  return { start: time };
}
