/** What Deployments and ReplicaSets have in common: a selector and a template that it matches. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { isSelector, matches, requiredSelectorErrors, unmatchedErrors } from './selector-rules.ts';
import { lastingTemplateErrors } from './template-rules.ts';
import type { WorkloadSpec } from './workload.ts';

/** Kubernetes calls both of them deployments where a selector is empty, and ReplicaSets where pods have a deadline. */
export function selectedTemplateErrors({ selector, template }: WorkloadSpec): FieldError[] {
  const errors = requiredSelectorErrors(selector, 'spec.selector', 'deployment');
  if (selector && !isSelector(selector))
    return [...errors, invalidValue('spec.selector', selector, 'invalid label selector')];
  return [
    ...errors,
    ...(matches(selector, template) ? [] : unmatchedErrors(template, 'spec.template')),
    ...lastingTemplateErrors(template, 'spec.template', 'ReplicaSet'),
  ];
}
