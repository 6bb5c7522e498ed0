/** Validates a workload's selector, which must match the labels of its template (Kubernetes' `apps/validation`). */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { type SelectorObject, selectsByObject } from '../../selectors/selector-object.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { immutableErrors } from '../rules/equality.ts';
import { shownSelector, sortedMap } from '../rules/shown-values.ts';

export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: SelectorObject): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** Whether it is a valid selector. */
export const isSelector = (selector: SelectorObject): boolean => labelSelectorErrors(selector, '').length === 0;

const labelsOf = (template: PodTemplate): Record<string, string> => template.metadata?.labels ?? {};

/** `at` is the path of the template. */
export const unmatchedErrors = (template: PodTemplate, at: string): FieldError[] => [
  invalidValue(
    `${at}.metadata.labels`,
    sortedMap(template.metadata?.labels),
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
    ...(isEmptySelector(selector)
      ? [invalidValue(at, shownSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** An absent selector matches nothing, an empty one everything. */
export const matches = (selector: SelectorObject | null | undefined, template: PodTemplate): boolean =>
  !!selector && selectsByObject(selector, labelsOf(template));

export const immutableSelectorErrors = (selector: Selector, old: Selector): FieldError[] =>
  immutableErrors(shownSelector(selector), shownSelector(old), 'spec.selector');

type Selector = SelectorObject | null | undefined;
