/** Validates DaemonSets (Kubernetes' `apps/validation`). */

import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import { above100PercentErrors, amountOf, intOrPercentErrors } from '../rules/int-or-percent.ts';
import { countsErrors } from '../rules/numbers.ts';
import { shownSelector } from '../rules/shown-values.ts';
import {
  immutableSelectorErrors,
  isEmptySelector,
  isSelector,
  matches,
  unmatchedErrors,
} from '../workloads/selector-rules.ts';
import { lastingTemplateErrors } from '../workloads/template-rules.ts';
import type { DaemonSetSpec, DaemonSetStatus, RollingUpdate } from './daemon-set.ts';

export function daemonSetErrors(spec: DaemonSetSpec): FieldError[] {
  const { selector, template } = spec;
  const isUnmatched = (!selector || isSelector(selector)) && !matches(selector, template);
  return [
    ...labelSelectorErrors(selector ?? {}, 'spec.selector'),
    ...(isUnmatched ? unmatchedErrors(template, 'spec.template') : []),
    ...(selector && isEmptySelector(selector)
      ? [invalidValue('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset')]
      : []),
    ...lastingTemplateErrors(template, 'spec.template', 'DaemonSet'),
    ...countsErrors(spec, ['minReadySeconds'], 'spec'),
    ...updateStrategyErrors(spec.updateStrategy, 'spec.updateStrategy'),
    ...countsErrors(spec, ['revisionHistoryLimit'], 'spec'),
  ];
}

export const daemonSetUpdateErrors = (spec: DaemonSetSpec, old: DaemonSetSpec): FieldError[] => [
  ...immutableSelectorErrors(spec.selector, old.selector),
  ...daemonSetErrors(spec),
];

function updateStrategyErrors({ type = '', rollingUpdate }: DaemonSetSpec['updateStrategy'], at: string): FieldError[] {
  switch (type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      return rollingUpdate
        ? rollingUpdateErrors(rollingUpdate, `${at}.rollingUpdate`)
        : [required(`${at}.rollingUpdate`)];
    default:
      return [
        notSupported(at, { Type: type, RollingUpdate: shownUpdate(rollingUpdate) }, ['RollingUpdate', 'OnDelete']),
      ];
  }
}

/** Kubernetes' internal form, which error texts show. */
const shownUpdate = (update: RollingUpdate | undefined) =>
  update ? { MaxUnavailable: update.maxUnavailable ?? 0, MaxSurge: update.maxSurge ?? 0 } : null;

function rollingUpdateErrors({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdate, at: string): FieldError[] {
  const errors = [
    ...intOrPercentErrors(maxUnavailable, `${at}.maxUnavailable`),
    ...intOrPercentErrors(maxSurge, `${at}.maxSurge`),
    ...above100PercentErrors(maxUnavailable, `${at}.maxUnavailable`),
    ...above100PercentErrors(maxSurge, `${at}.maxSurge`),
  ];
  const [hasUnavailable, hasSurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (hasUnavailable && hasSurge)
    errors.push(invalidValue(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!hasUnavailable && !hasSurge) errors.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

export const daemonSetStatusErrors = (status: DaemonSetStatus): FieldError[] =>
  countsErrors(
    status,
    [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    'status',
  );
