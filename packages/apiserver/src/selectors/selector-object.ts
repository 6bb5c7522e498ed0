/** A selector as objects hold it: `matchLabels` and `matchExpressions`. */

export interface SelectorObject {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/** An empty one selects everything. */
export function selectsByObject(
  { matchLabels = {}, matchExpressions = [] }: SelectorObject,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (Object.entries(matchLabels).some(([key, value]) => labels[key] !== value)) return false;
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}

/** As it is written in a query; its terms in order of their keys. */
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
