/** The kind CronJob. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { type PrintedKind, sinceTime } from '../../registry/printed-kind.ts';
import { defaultJobTemplate } from '../jobs/defaults.ts';
import { jobWarnings } from '../jobs/kind.ts';
import { none } from '../printing/cells.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { selectorOrNone } from '../printing/selectors.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { imagesOf, namesOf } from '../workloads/template-columns.ts';
import { type CronJobSpec, cronJobErrors } from './rules.ts';

interface CronJob {
  spec: CronJobSpec;
  status: { active?: unknown[]; lastScheduleTime?: string };
}

const facts = served('batch', 'cronjobs');

const of = (object: KubeObject): CronJob => object as unknown as CronJob;

/** The names of its Jobs are its name followed by the time. */
const longestName = 52;

const nameErrors = (name: string): FieldError[] =>
  Buffer.byteLength(name) > longestName
    ? [invalidValue('metadata.name', name, `must be no more than ${longestName} characters`)]
    : [];

export const cronJobs: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => defaultCronJob(of(object).spec),
    validateCreate: (object) => [
      ...objectMetaErrors(object, facts),
      ...cronJobErrors(of(object).spec),
      ...nameErrors(object.metadata.name ?? ''),
    ],
    validateUpdate: (object, old, subresource) =>
      subresource === 'status'
        ? []
        : [...objectMetaUpdateErrors(object, old), ...cronJobErrors(of(object).spec, of(old).spec)],
    warnings,
  },
  columns: kindColumns<CronJob>(facts, {
    Schedule: ({ spec }) => spec?.schedule ?? '',
    Timezone: ({ spec }) => spec?.timeZone ?? none,
    Suspend: ({ spec }) => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
    Active: ({ status }) => status?.active?.length ?? 0,
    'Last Schedule': ({ status }, now) => (status?.lastScheduleTime ? sinceTime(status.lastScheduleTime, now) : none),
    Containers: ({ spec }) => namesOf(spec?.jobTemplate?.spec?.template),
    Images: ({ spec }) => imagesOf(spec?.jobTemplate?.spec?.template),
    Selector: ({ spec }) => selectorOrNone(spec?.jobTemplate?.spec?.selector),
  }),
};

function defaultCronJob(spec: CronJobSpec): void {
  defaultJobTemplate(spec.jobTemplate.spec);
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

const zoneWarning =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

function warnings(object: KubeObject, old: KubeObject | undefined, subresource?: string): string[] {
  if (subresource === 'status') return [];
  const { spec } = of(object);
  const isChanged = !old || object.metadata.generation !== old.metadata.generation;
  return [
    ...(old ? [] : nameWarnings(object)),
    ...(isChanged ? jobWarnings(spec.jobTemplate.spec, 'spec.jobTemplate.spec') : []),
    ...(old && (spec.schedule ?? '').includes('TZ') ? [zoneWarning] : []),
  ];
}
