/** Validates Jobs, and the Job template of a CronJob (Kubernetes' `batch/validation`). */

import {
  type FieldError,
  invalidNamedText,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { dnsLabelFaults } from '../../names/name-rules.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import { podTemplateErrors } from '../pods/pod-spec-rules.ts';
import { domainPathErrors } from '../rules/domain-names.ts';
import { countsErrors } from '../rules/numbers.ts';
import { isSelector, matches, unmatchedErrors } from '../workloads/selector-rules.ts';
import { isIndexed, type JobSpec } from './job.ts';
import { failurePolicyErrors, successPolicyErrors } from './policy-rules.ts';
import { shownSuccessPolicy } from './shown-policies.ts';

const longestManager = 63;
const most = { parallelism: 100_000, failedIndexes: 100_000, completions: 100_000, ofMany: 10_000 };

export function jobSpecErrors(spec: JobSpec, at: string): FieldError[] {
  const { selector, template } = spec;
  const isUnmatched = (!selector || isSelector(selector)) && !matches(selector, template);
  return [
    ...jobTemplateErrors(spec, at),
    ...(selector ? labelSelectorErrors(selector, `${at}.selector`) : [required(`${at}.selector`)]),
    ...(isUnmatched ? unmatchedErrors(template, `${at}.template`) : []),
  ];
}

/** Without the selector, which is generated. */
export function jobTemplateErrors(spec: JobSpec, at: string): FieldError[] {
  const { managedBy, maxFailedIndexes, backoffLimitPerIndex, completionMode = 'NonIndexed' } = spec;
  return [
    ...countsErrors(
      spec,
      [
        'parallelism',
        'completions',
        'activeDeadlineSeconds',
        'backoffLimit',
        'ttlSecondsAfterFinished',
        'backoffLimitPerIndex',
        'maxFailedIndexes',
      ],
      at,
    ),
    ...(maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [required(`${at}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(managedBy === undefined ? [] : domainPathErrors(managedBy, `${at}.managedBy`)),
    ...(managedBy !== undefined && Buffer.byteLength(managedBy) > longestManager
      ? [tooLong(`${at}.managedBy`, longestManager)]
      : []),
    ...modeErrors(completionMode, at),
    ...(isIndexed(spec) ? indexedErrors(spec, at) : []),
    ...(completionMode === 'NonIndexed' ? plainErrors(spec, at) : []),
    ...(spec.podFailurePolicy ? failurePolicyErrors(spec, `${at}.podFailurePolicy`) : []),
    ...(spec.successPolicy ? policyErrors(spec, `${at}.successPolicy`) : []),
    ...replacementErrors(spec, `${at}.podReplacementPolicy`),
    ...podTemplateErrors(spec.template, `${at}.template`),
    ...restartErrors(spec, `${at}.template.spec.restartPolicy`),
  ];
}

const modes = ['NonIndexed', 'Indexed'];

const modeErrors = (mode: string, at: string): FieldError[] =>
  modes.includes(mode) ? [] : [notSupported(`${at}.completionMode`, mode, modes)];

const policyErrors = (spec: JobSpec, at: string): FieldError[] =>
  isIndexed(spec)
    ? successPolicyErrors(spec, at)
    : [invalidValue(at, shownSuccessPolicy(spec), 'requires indexed completion mode')];

function indexedErrors(spec: JobSpec, at: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes: failed, backoffLimitPerIndex } = spec;
  const isMany = (completions ?? 0) > most.completions && backoffLimitPerIndex !== undefined;
  const [parallelAt, failedAt] = [`${at}.parallelism`, `${at}.maxFailedIndexes`];
  const atMost = (limit: number) => `must be less than or equal to ${limit}`;
  const many = `when completions are above ${most.completions} and used with backoff limit per index`;
  return [
    ...(completions === undefined ? [required(`${at}.completions`, 'when completion mode is Indexed')] : []),
    ...(parallelism > most.parallelism
      ? [invalidValue(parallelAt, parallelism, `${atMost(most.parallelism)} when completion mode is Indexed`)]
      : []),
    ...(completions !== undefined && failed !== undefined && failed > completions
      ? [invalidValue(failedAt, failed, 'must be less than or equal to completions')]
      : []),
    ...(failed !== undefined && failed > most.failedIndexes
      ? [invalidValue(failedAt, failed, atMost(most.failedIndexes))]
      : []),
    ...(isMany && failed === undefined
      ? [required(failedAt, `must be specified when completions is above ${most.completions}`)]
      : []),
    ...(isMany && parallelism > most.ofMany
      ? [invalidValue(parallelAt, parallelism, `${atMost(most.ofMany)} ${many}`)]
      : []),
    ...(isMany && failed !== undefined && failed > most.ofMany
      ? [invalidValue(failedAt, failed, `${atMost(most.ofMany)} ${many}`)]
      : []),
  ];
}

const plainErrors = (spec: JobSpec, at: string): FieldError[] =>
  (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((field) =>
    spec[field] === undefined ? [] : [invalidValue(`${at}.${field}`, spec[field], 'requires indexed completion mode')],
  );

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, at: string): FieldError[] {
  const supported = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(at, policy, supported)];
}

/** Pods of a Job must not be restarted forever. */
function restartErrors({ template, podFailurePolicy }: JobSpec, at: string): FieldError[] {
  const policy = template.spec?.restartPolicy ?? '';
  switch (policy) {
    case 'Always':
    case '':
      return [required(at, 'valid values: "OnFailure", "Never"')];
    case 'OnFailure':
      return podFailurePolicy
        ? [invalidNamedText(at, policy, 'only "Never" is supported when podFailurePolicy is specified')]
        : [];
    case 'Never':
      return [];
    default:
      return [notSupported(at, policy, ['OnFailure', 'Never'])];
  }
}

/** Pods of an Indexed Job are named after it. */
export function hostnameErrors(name: string, spec: JobSpec): FieldError[] {
  const { completions = 0 } = spec;
  const last = `${name}-${completions - 1}`;
  return isIndexed(spec) && completions > 0 && dnsLabelFaults(last).length > 0
    ? [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`)]
    : [];
}
