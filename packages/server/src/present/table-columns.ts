/** The columns of a merged Table: one layout for members that may disagree (LIST-5). */

import { eachElement, eachMember, isArray, spanIs } from '@fleet/kube/json-bytes.ts';
import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';

/** Tells in plain-name views which cluster a row is of (LIST-6). */
export const clusterColumn: ColumnDefinition = {
  name: 'CLUSTER',
  type: 'string',
  format: '',
  description: 'The cluster that the object is in.',
  priority: 0,
};

/** All columns by name, in the order of the first member that has each. */
export function mergeColumns(layouts: readonly (readonly ColumnDefinition[])[]): ColumnDefinition[] {
  const merged: ColumnDefinition[] = [];
  for (const layout of layouts) {
    let after = -1;
    for (const column of layout) {
      const known = merged.findIndex(({ name }) => name === column.name);
      if (known >= 0) after = known;
      else merged.splice(++after, 0, column);
    }
  }
  return merged;
}

/** A column as a continue token keeps it: without its description, which the members tell again. */
export type Column = readonly [name: string, type: string, format: string, priority: number];

export const layoutOf = (columns: readonly ColumnDefinition[]): Column[] =>
  columns.map(({ name, type, format, priority }) => [name, type, format, priority]);

/** The columns of a layout, if there is one, described as far as the members at hand do. */
export const withLayout = (layout: readonly Column[] | undefined, columns: ColumnDefinition[]): ColumnDefinition[] =>
  layout?.map(
    ([name, type, format, priority]) =>
      columns.find((column) => column.name === name) ?? { name, type, format, description: '', priority },
  ) ?? columns;

/** For each merged column the member's own one, or -1; undefined if the member's layout is the merged one. */
export function columnMapping(
  own: readonly ColumnDefinition[],
  merged: readonly ColumnDefinition[],
): readonly number[] | undefined {
  const mapping = merged.map(({ name }) => own.findIndex((column) => column.name === name));
  const same = mapping.length === own.length && mapping.every((from, to) => from === to);
  return same ? undefined : mapping;
}

/** The columns whose cells show an object's name. */
export function nameColumns(columns: readonly ColumnDefinition[], isEvent: boolean): ReadonlySet<number> {
  const shows = ({ format, name }: ColumnDefinition) => format === 'name' || (isEvent && name === 'Object');
  return new Set(columns.flatMap((column, index) => (shows(column) ? [index] : [])));
}

/** A row with its cells in the merged order; a column that the member lacks is null, which kubectl prints empty. */
export function remapRow(row: Buffer, mapping: readonly number[]): Buffer {
  let start = 0;
  let end = 0;
  const cells: Buffer[] = [];
  eachMember(row, 0, (key, value) => {
    if (!spanIs(row, key, 'cells') || !isArray(row, value)) return undefined;
    start = value;
    end = eachElement(row, value, (cell, _, cellEnd) => {
      cells.push(row.subarray(cell, cellEnd));
    });
    return end;
  });
  const ordered = mapping.map((from) => cells[from]?.toString() ?? 'null').join(',');
  return Buffer.concat([row.subarray(0, start), Buffer.from(`[${ordered}]`), row.subarray(end)]);
}
