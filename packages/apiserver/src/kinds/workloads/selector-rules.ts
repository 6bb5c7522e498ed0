/** A workload's selector, which must match the labels of its template (Kubernetes' `apps/validation`). */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { type SelectorObject, selectsByObject } from '../../selectors/selector-object.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';

export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: SelectorObject): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** Whether Kubernetes can select by it. */
export const isSelector = (selector: SelectorObject): boolean => labelSelectorErrors(selector, '').length === 0;

const labelsOf = (template: PodTemplate): Record<string, string> => template.metadata?.labels ?? {};

/** `at` is the path of the template. */
export const unmatchedErrors = (template: PodTemplate, at: string): FieldError[] => [
  invalidValue(
    `${at}.metadata.labels`,
    template.metadata?.labels ?? null,
    '`selector` does not match template `labels`',
  ),
];

export function requiredSelectorErrors(
  selector: SelectorObject | null | undefined,
  at: string,
  kind: string,
): FieldError[] {
  if (!selector) return [required(at)];
  return [
    ...labelSelectorErrors(selector, at),
    ...(isEmptySelector(selector) ? [invalidValue(at, selector, `empty selector is invalid for ${kind}`)] : []),
  ];
}

/** A selector that is not there matches nothing, an empty one everything. */
export const matches = (selector: SelectorObject | null | undefined, template: PodTemplate): boolean =>
  !!selector && selectsByObject(selector, labelsOf(template));
