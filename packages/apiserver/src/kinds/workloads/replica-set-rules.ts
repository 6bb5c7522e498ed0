/** Validates the selector and the pod template of Deployments and ReplicaSets. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { shownSelector } from '../rules/shown-values.ts';
import { isSelector, matches, requiredSelectorErrors, unmatchedErrors } from './selector-rules.ts';
import { lastingTemplateErrors } from './template-rules.ts';
import type { WorkloadSpec } from './workload.ts';

/** Kubernetes' errors name both of them deployments for an empty selector, and ReplicaSets for a deadline. */
export function selectedTemplateErrors({ selector, template }: WorkloadSpec): FieldError[] {
  const errors = requiredSelectorErrors(selector, 'spec.selector', 'deployment');
  if (selector && !isSelector(selector))
    return [...errors, invalidValue('spec.selector', shownSelector(selector), 'invalid label selector')];
  return [
    ...errors,
    ...(matches(selector, template) ? [] : unmatchedErrors(template, 'spec.template')),
    ...lastingTemplateErrors(template, 'spec.template', 'ReplicaSet'),
  ];
}
