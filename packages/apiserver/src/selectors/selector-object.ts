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
