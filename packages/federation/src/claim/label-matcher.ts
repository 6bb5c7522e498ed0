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
  const wanted = new Set(values);
  if (plainLabelRules.keyFaults(key).length > 0) return nothing;
  if ([...wanted].some((value) => plainLabelRules.valueFaults(value).length > 0)) return nothing;
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key);
  switch (operator) {
    case 'In':
      return (labels) => has(labels) && wanted.has(labels[key]!);
    case 'NotIn':
      return wanted.size === 0 ? nothing : (labels) => !has(labels) || !wanted.has(labels[key]!);
    case 'Exists':
      return wanted.size > 0 ? nothing : has;
    case 'DoesNotExist':
      return wanted.size > 0 ? nothing : (labels) => !has(labels);
    default:
      return nothing;
  }
}
