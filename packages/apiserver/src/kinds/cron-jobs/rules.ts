/** Validates CronJobs (Kubernetes' `batch/validation`). */

import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import type { JobSpec } from '../jobs/job.ts';
import { jobTemplateErrors } from '../jobs/rules.ts';
import { countErrors } from '../rules/numbers.ts';
import { shownSelector } from '../rules/shown-values.ts';
import { scheduleFault } from './schedule.ts';
import { isTimeZone } from './time-zone.ts';

export interface CronJobSpec {
  schedule?: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: { metadata?: object; spec: JobSpec };
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

const policies = ['Allow', 'Forbid', 'Replace'];

export function cronJobErrors(spec: CronJobSpec, old?: CronJobSpec): FieldError[] {
  const { schedule = '', timeZone, concurrencyPolicy = '', jobTemplate } = spec;
  return [
    ...(schedule === '' ? [required('spec.schedule')] : scheduleErrors(schedule, timeZone, old)),
    ...countErrors(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(timeZone === undefined || (old && old.timeZone === timeZone) ? [] : zoneErrors(timeZone, 'spec.timeZone')),
    ...(concurrencyPolicy === '' ? [required('spec.concurrencyPolicy')] : []),
    ...(concurrencyPolicy === '' || policies.includes(concurrencyPolicy)
      ? []
      : [notSupported('spec.concurrencyPolicy', concurrencyPolicy, policies)]),
    ...templateErrors(jobTemplate.spec, 'spec.jobTemplate.spec'),
    ...countErrors(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...countErrors(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

/** A time zone in the schedule was once allowed; existing ones are kept. */
function scheduleErrors(schedule: string, timeZone: string | undefined, old: CronJobSpec | undefined): FieldError[] {
  const at = 'spec.schedule';
  const fault = scheduleFault(schedule);
  const [hasZone, hadZone] = [schedule.includes('TZ'), (old?.schedule ?? '').includes('TZ')];
  return [
    ...(fault === undefined ? [] : [invalidValue(at, schedule, fault)]),
    ...(hasZone && hadZone && timeZone !== undefined
      ? [invalidValue(at, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')]
      : []),
    ...(hasZone && !hadZone
      ? [invalidValue(at, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
      : []),
  ];
}

function zoneErrors(zone: string, at: string): FieldError[] {
  if (zone === '') return [invalidValue(at, zone, 'timeZone must be nil or non-empty string')];
  const isPart = (part: string) =>
    part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (!zone.split('/').every(isPart)) return [invalidValue(at, zone, `unknown time zone ${zone}`)];
  return [
    ...(zone.toLowerCase() === 'local'
      ? [invalidValue(at, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')]
      : []),
    ...(isTimeZone(zone) ? [] : [invalidValue(at, zone, `unknown time zone ${zone}`)]),
  ];
}

const templateErrors = (spec: JobSpec, at: string): FieldError[] => [
  ...jobTemplateErrors(spec, at),
  ...(spec.selector
    ? [invalidValue(`${at}.selector`, shownSelector(spec.selector), '`selector` will be auto-generated')]
    : []),
  ...(spec.manualSelector ? [notSupported(`${at}.manualSelector`, true, ['nil', 'false'])] : []),
];
