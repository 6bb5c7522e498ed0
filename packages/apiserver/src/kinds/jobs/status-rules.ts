/** Validates updates of a Job's status: counters only grow, terminal conditions are final. */

import {
  duplicateValue,
  type FieldError,
  invalidNamedText,
  invalidValue,
  invalidWithout,
  required,
} from '../../errors/field-error.ts';
import { isSame } from '../rules/equality.ts';
import { countsErrors } from '../rules/numbers.ts';
import { indexesOf, sharedIndex } from './indexes.ts';
import { hasCondition, isIndexed, type Job, type JobStatus } from './job.ts';

const isFinished = (job: Job): boolean => hasCondition(job, 'Complete') || hasCondition(job, 'Failed');

/** Most rules check changes only: a status that is already invalid is for the controller to correct. */
export function jobStatusErrors(job: Job, old: Job): FieldError[] {
  const changed = (...fields: (keyof JobStatus)[]) =>
    fields.some((field) => !isSame(job.status[field], old.status[field]));
  return [
    ...countsErrors(job.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...uncountedErrors(job.status),
    ...conditionErrors(job, old, changed),
    ...finishedErrors(job, old, changed),
    ...indexErrors(job, changed),
    ...podErrors(job, old, changed),
    ...criteriaErrors(job),
    ...finalErrors(job, old),
    ...counterErrors(job, old),
    ...timeErrors(job, old),
    ...criteriaChangeErrors(job, old),
  ];
}

type Changed = (...fields: (keyof JobStatus)[]) => boolean;

const turned = (job: Job, old: Job, ...types: string[]): boolean =>
  types.some((type) => hasCondition(job, type) !== hasCondition(old, type));

const bad = (detail: string): FieldError => invalidWithout('status.conditions', detail);

function uncountedErrors({ uncountedTerminatedPods = {} }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (uncountedTerminatedPods[list] ?? []).flatMap((uid, index) => {
      const at = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') return [invalidNamedText(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicateValue(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function conditionErrors(job: Job, old: Job, changed: Changed): FieldError[] {
  const { completionTime, startTime } = job.status;
  const isComplete = hasCondition(job, 'Complete');
  const looksAtEnd = turned(job, old, 'Complete') || changed('completionTime');
  const errors: FieldError[] = [];
  if (turned(job, old, 'Complete', 'Failed') && isComplete && hasCondition(job, 'Failed'))
    errors.push(bad('cannot set Complete=True and Failed=true conditions'));
  if (turned(job, old, 'Complete', 'FailureTarget') && isComplete && hasCondition(job, 'FailureTarget'))
    errors.push(bad('cannot set Complete=True and FailureTarget=true conditions'));
  if (looksAtEnd && completionTime && !isComplete)
    errors.push(
      invalidValue(
        'status.completionTime',
        completionTime,
        'cannot set completionTime when there is no Complete=True condition',
      ),
    );
  if (looksAtEnd && !completionTime && isComplete)
    errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  if (
    changed('startTime', 'completionTime') &&
    startTime &&
    completionTime &&
    Date.parse(completionTime) < Date.parse(startTime)
  )
    errors.push(invalidValue('status.completionTime', completionTime, 'must be equal to or after `startTime`'));
  if (
    (turned(job, old, 'Failed') || changed('failedIndexes')) &&
    hasCondition(job, 'Failed') &&
    !hasCondition(job, 'FailureTarget')
  )
    errors.push(bad('cannot set Failed=True condition without the FailureTarget=true condition'));
  if (turned(job, old, 'Complete', 'SuccessCriteriaMet') && isComplete && !hasCondition(job, 'SuccessCriteriaMet'))
    errors.push(bad('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  return errors;
}

function finishedErrors(job: Job, old: Job, changed: Changed): FieldError[] {
  if (!isFinished(job)) return [];
  const hasEnded = !isFinished(old);
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status;
  const isEmpty = job.spec.suspend === true && job.spec.completions === 0;
  const left = (uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length;
  return [
    ...((hasEnded || changed('active')) && active > 0
      ? [invalidValue('status.active', active, 'active>0 is invalid for finished job')]
      : []),
    ...((hasEnded || changed('startTime')) && !isEmpty && startTime === undefined
      ? [required('status.startTime', 'startTime is required for finished job')]
      : []),
    ...((hasEnded || changed('uncountedTerminatedPods')) && left > 0
      ? [
          invalidValue(
            'status.uncountedTerminatedPods',
            { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null },
            'must be empty for finished job',
          ),
        ]
      : []),
  ];
}

function indexErrors({ spec, status }: Job, changed: Changed): FieldError[] {
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const [completedAt, failedAt] = ['status.completedIndexes', 'status.failedIndexes'];
  const isCounted = completions !== undefined;
  const completedFault = isCounted && changed('completedIndexes') && indexesOf(completedIndexes, completions).fault;
  const failedFault =
    isCounted &&
    changed('failedIndexes') &&
    backoffLimitPerIndex !== undefined &&
    failedIndexes !== undefined &&
    indexesOf(failedIndexes, completions).fault;
  const shared =
    isCounted && changed('completedIndexes', 'failedIndexes') && failedIndexes !== undefined
      ? sharedIndex(completedIndexes, failedIndexes, completions)
      : undefined;
  return [
    ...(completedFault
      ? [invalidValue(completedAt, completedIndexes, `error parsing completedIndexes: ${completedFault}`)]
      : []),
    ...(failedFault ? [invalidValue(failedAt, failedIndexes, `error parsing failedIndexes: ${failedFault}`)] : []),
    ...(changed('completedIndexes') && completedIndexes !== '' && !isIndexed(spec)
      ? [
          invalidValue(
            completedAt,
            completedIndexes,
            'cannot set non-empty completedIndexes when non-indexed completion mode',
          ),
        ]
      : []),
    ...(changed('failedIndexes') && backoffLimitPerIndex === undefined && failedIndexes !== undefined
      ? [invalidValue(failedAt, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')]
      : []),
    ...(shared === undefined
      ? []
      : [invalidValue(failedAt, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${shared}`)]),
  ];
}

function podErrors(job: Job, old: Job, changed: Changed): FieldError[] {
  const { terminating = 0, ready, active = 0 } = job.status;
  const hasEnded = isFinished(job) !== isFinished(old);
  return [
    ...((hasEnded || changed('terminating')) && terminating > 0 && isFinished(job)
      ? [invalidValue('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(changed('ready', 'active') && ready !== undefined && ready > active
      ? [invalidValue('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ];
}

function criteriaErrors(job: Job): FieldError[] {
  const isMet = hasCondition(job, 'SuccessCriteriaMet');
  return [
    ...(isMet && hasCondition(job, 'Failed')
      ? [bad('cannot set SuccessCriteriaMet=True and Failed=true conditions')]
      : []),
    ...(isMet && hasCondition(job, 'FailureTarget')
      ? [bad('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')]
      : []),
    ...(job.spec.successPolicy && !isMet && hasCondition(job, 'Complete')
      ? [bad('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')]
      : []),
  ];
}

const finalErrors = (job: Job, old: Job): FieldError[] =>
  ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => hasCondition(old, type) && !hasCondition(job, type))
    .map((type) => bad(`cannot disable the terminal ${type}=True condition`));

/** An Indexed Job that is scaled down drops succeeded indexes. */
function counterErrors({ spec, status }: Job, old: Job): FieldError[] {
  const canShrink = isIndexed(spec) && spec.completions === spec.parallelism;
  const { failed = 0, succeeded = 0 } = status;
  return [
    ...(failed < (old.status.failed ?? 0)
      ? [invalidValue('status.failed', failed, 'cannot decrease the failed counter')]
      : []),
    ...(!canShrink && succeeded < (old.status.succeeded ?? 0)
      ? [invalidValue('status.succeeded', succeeded, 'cannot decrease the succeeded counter')]
      : []),
  ];
}

function timeErrors(job: Job, old: Job): FieldError[] {
  const { completionTime, startTime } = job.status;
  const isResumed = hasCondition(old, 'Suspended') && hasCondition(job, 'Suspended', 'False');
  return [
    ...(completionTime && old.status.completionTime && completionTime !== old.status.completionTime
      ? [invalidValue('status.completionTime', completionTime, 'field is immutable')]
      : []),
    ...(!isResumed && old.status.startTime && startTime !== old.status.startTime && !job.spec.suspend
      ? [invalidValue('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set')]
      : []),
  ];
}

function criteriaChangeErrors(job: Job, old: Job): FieldError[] {
  const [isMet, wasMet] = [hasCondition(job, 'SuccessCriteriaMet'), hasCondition(old, 'SuccessCriteriaMet')];
  return [
    ...(wasMet && !isMet ? [bad('cannot disable the SuccessCriteriaMet=True condition')] : []),
    ...(hasCondition(old, 'Complete') && !wasMet && isMet
      ? [bad('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
      : []),
  ];
}
