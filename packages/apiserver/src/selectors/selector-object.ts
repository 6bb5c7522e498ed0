/** Matches selectors of objects: `matchLabels` and `matchExpressions`. */

import { fieldOf } from '@fleet/kube/json-value.ts';

export interface SelectorObject {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/** Derived values, cached per selector, as one selector is matched with many objects. Selectors are immutable. */
const terms = new WeakMap<object, readonly (readonly [string, string])[]>();
const sets = new WeakMap<object, ReadonlySet<string>>();

/** Whether the object has all labels of the selector. */
export function hasLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean {
  let pairs = terms.get(selector);
  if (!pairs) {
    pairs = Object.entries(selector);
    terms.set(selector, pairs);
  }
  return pairs.every(([key, value]) => fieldOf(labels, key) === value);
}

/** Fewer values are searched faster one by one. */
const fewValues = 8;

export function isAmong(values: readonly string[], value: string): boolean {
  if (values.length <= fewValues) return values.includes(value);
  let set = sets.get(values);
  if (!set) {
    set = new Set(values);
    sets.set(values, set);
  }
  return set.has(value);
}

/** An empty one selects everything. */
export function selectsByObject(
  { matchLabels = {}, matchExpressions = [] }: SelectorObject,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (!hasLabels(labels, matchLabels)) return false;
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = fieldOf(labels, key) as string | undefined;
    switch (operator) {
      case 'In':
        return value !== undefined && isAmong(values, value);
      case 'NotIn':
        return value === undefined || !isAmong(values, value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}

/** In the syntax of a query, with terms sorted by key. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: SelectorObject): string {
  const terms = [
    ...Object.entries(matchLabels).map(([key, value]) => [key, `${key}=${value}`] as const),
    ...matchExpressions.map(({ key, operator, values = [] }) => [key, expressionText(key, operator, values)] as const),
  ];
  return terms
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, text]) => text)
    .join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  const set = `(${[...values].sort().join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${set}`;
    case 'NotIn':
      return `${key} notin ${set}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
