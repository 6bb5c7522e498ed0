/** Lays out descriptions as `kubectl describe` does. */

import type { Cluster } from './cluster.ts';

type Field = [name: string, value: string | undefined];

export const fields = (list: readonly Field[], indent = ''): string => {
  const known = list.filter((field): field is [string, string] => field[1] !== undefined && field[1] !== '');
  const width = Math.max(...known.map(([name]) => name.length)) + 3;
  return known.map(([name, value]) => `${indent}${`${name}:`.padEnd(width)}${value}\n`).join('');
};

export const pairs = (map: Record<string, string> | undefined): string | undefined =>
  map &&
  Object.entries(map)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};

type Condition = Pick<
  NonNullable<NonNullable<Cluster['status']>['conditions']>[number],
  'type' | 'status' | 'reason' | 'message' | 'lastTransitionTime'
>;

export function conditionsText(known: readonly Condition[] = []): string {
  if (known.length === 0) return 'Conditions:  <none>\n';
  const rows = known.map((condition) => [
    condition.type,
    condition.status,
    condition.reason ?? '',
    condition.lastTransitionTime ?? '',
    condition.message,
  ]);
  return `Conditions:\n${columns([['Type', 'Status', 'Reason', 'Since', 'Message'], ...rows])}`;
}
