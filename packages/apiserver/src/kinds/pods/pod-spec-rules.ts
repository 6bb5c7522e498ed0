/** What is wrong with a pod's spec, in a Pod and in every template of pods (`core/validation/validation.go`). */

import { type FieldError, required } from '../../errors/field-error.ts';
import type { PodSpec, PodTemplate } from './pod-spec.ts';

export interface PodRuleOptions {
  /** What the restart policy must be, as workloads demand it of their templates; without it any will do. */
  restartPolicies?: readonly string[];
}

/** `path` is that of the template, such as `spec.template`. */
export function podTemplateErrors(
  template: PodTemplate | undefined,
  path: string,
  options: PodRuleOptions = {},
): FieldError[] {
  return podSpecErrors(template?.spec ?? {}, `${path}.spec`, options);
}

export function podSpecErrors(spec: PodSpec, path: string, _options: PodRuleOptions = {}): FieldError[] {
  return (spec.containers ?? []).length === 0 ? [required(`${path}.containers`)] : [];
}
