/** A label selector as objects hold it, prepared once and applied to many. */

import { plainLabelRules } from '@fleet/kube/selectors/label-rules.ts';
import type { LabelSelector } from '../api/objects.ts';

type Labels = Readonly<Record<string, string>>;
type Matches = (labels: Labels) => boolean;

/** No requirement matches everything; an invalid one nothing at all, rather than too much. */
export function labelMatcherOf({ matchLabels, matchExpressions }: LabelSelector): Matches {
  const equal = Object.entries(matchLabels ?? {}).map(([key, value]) => requirement(key, 'In', [value]));
  const all = [
    ...equal,
    ...(matchExpressions ?? []).map(({ key, operator, values }) => requirement(key, operator, values)),
  ];
  return (labels) => all.every((matches) => matches(labels));
}

const nothing: Matches = () => false;

function requirement(key: string, operator: string, values: readonly string[] | null | undefined): Matches {
  const listed = new Set(values);
  if (plainLabelRules.keyFaults(key).length > 0) return nothing;
  if ([...listed].some((value) => plainLabelRules.valueFaults(value).length > 0)) return nothing;
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key);
  switch (operator) {
    case 'In':
      return (labels) => has(labels) && listed.has(labels[key]!);
    case 'NotIn':
      return listed.size === 0 ? nothing : (labels) => !has(labels) || !listed.has(labels[key]!);
    case 'Exists':
      return listed.size > 0 ? nothing : has;
    case 'DoesNotExist':
      return listed.size > 0 ? nothing : (labels) => !has(labels);
    default:
      return nothing;
  }
}
