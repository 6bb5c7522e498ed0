/** Formats selectors and labels for cells. */

import { type SelectorObject, selectorText } from '../../selectors/selector-object.ts';
import { none } from './cells.ts';

export const labelsText = (labels: Record<string, string> = {}): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',') || none;

/** An absent selector selects nothing, but is printed like one that selects everything. */
export const selectorOrNone = (selector: SelectorObject | null | undefined): string =>
  selectorText(selector ?? {}) || none;

/** Go's format of the message. */
export function selectorMessage({ matchLabels = {}, matchExpressions = [] }: SelectorObject): string {
  const labels = Object.entries(matchLabels)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
