/** The columns of a merged Table: one layout for members whose columns may differ (LIST-5). */

import { eachElement, isArray } from '@fleet/kube/json-bytes.ts';
import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import { rowKeys } from './marking.ts';

/** In views with plain names: shows which cluster a row is of (LIST-6). */
export const clusterColumn: ColumnDefinition = {
  name: 'CLUSTER',
  type: 'string',
  format: '',
  description: 'The cluster that the object is in.',
  priority: 0,
};

type Layout = readonly ColumnDefinition[];

/** A column, and the one that follows it. */
interface Place {
  column?: ColumnDefinition;
  next?: Place | undefined;
}

/** All columns by name, in the order of the first member that has each. */
export function mergeColumns(layouts: readonly Layout[]): ColumnDefinition[] {
  const front: Place = {};
  const byName = new Map<string, Place>();
  for (const layout of layouts) {
    let after = front;
    for (const column of layout) {
      const known = byName.get(column.name);
      const place = known ?? { column, next: after.next };
      if (!known) after.next = place;
      byName.set(column.name, place);
      after = place;
    }
  }
  const merged: ColumnDefinition[] = [];
  for (let place = front.next; place?.column; place = place.next) merged.push(place.column);
  return merged;
}

/** A column as a continue token keeps it: without its description, which the members send again. */
export type Column = readonly [name: string, type: string, format: string, priority: number];

export const layoutOf = (columns: Layout): Column[] =>
  columns.map(({ name, type, format, priority }) => [name, type, format, priority]);

const lengthOf = (columns: Layout): number => JSON.stringify(layoutOf(columns)).length;

/** Limits, as the columns have to fit into a continue token in a URL, and every row has a cell for each of them. */
const longestUnion = 16 * 1024;

/**
 * The columns of a merged list. If all together are too long, the longest layouts are left out, so that a member that invents
 * columns cannot push out those of others. The shortest layout is always shown.
 */
export function listColumns(layouts: readonly Layout[]): ColumnDefinition[] {
  const merged = mergeColumns(layouts);
  return lengthOf(merged) <= longestUnion ? merged : mergeColumns(shortestOf(layouts));
}

function shortestOf(layouts: readonly Layout[]): Layout[] {
  const known = new Set<string>();
  const shown = new Set<Layout>();
  let left = longestUnion;
  const measured = layouts.map((layout) => ({ layout, length: lengthOf(layout) }));
  for (const { layout } of measured.sort((a, b) => a.length - b.length)) {
    const others = layout.filter(({ name }) => !known.has(name));
    const length = others.length === 0 ? 0 : lengthOf(others);
    if (length > left && shown.size > 0) continue;
    left = Math.max(left - length, 0);
    shown.add(layout);
    for (const { name } of others) known.add(name);
  }
  return layouts.filter((layout) => shown.has(layout));
}

/** The columns of a layout, if there is one, with the descriptions that the answering members have. */
export function withLayout(layout: readonly Column[] | undefined, columns: ColumnDefinition[]): ColumnDefinition[] {
  if (!layout) return columns;
  const byName = new Map(columns.map((column) => [column.name, column]));
  return layout.map(
    ([name, type, format, priority]) => byName.get(name) ?? { name, type, format, description: '', priority },
  );
}

/** For each merged column the member's own one, or -1; undefined if the member's layout is the merged one. */
export function columnMapping(own: Layout, merged: Layout): readonly number[] | undefined {
  // Of columns with the same name the first counts.
  const places = new Map(own.map(({ name }, index) => [name, index] as const).reverse());
  const mapping = merged.map(({ name }) => places.get(name) ?? -1);
  const same = mapping.length === own.length && mapping.every((from, to) => from === to);
  return same ? undefined : mapping;
}

/** The columns whose cells show an object's name. */
export function nameColumns(columns: Layout, isEvent: boolean): ReadonlySet<number> {
  const shows = ({ format, name }: ColumnDefinition) => format === 'name' || (isEvent && name === 'Object');
  return new Set(columns.flatMap((column, index) => (shows(column) ? [index] : [])));
}

/** A row with its cells in the merged order. A column that the member lacks is null, which kubectl prints as empty. */
export function remapRow(row: Buffer, mapping: readonly number[]): Buffer {
  let start = 0;
  let end = 0;
  const cells: Buffer[] = [];
  eachKnownMember(row, 0, rowKeys, (key, value) => {
    if (key !== 'cells' || !isArray(row, value)) return undefined;
    start = value;
    end = eachElement(row, value, (cell, _, cellEnd) => {
      cells.push(row.subarray(cell, cellEnd));
    });
    return end;
  });
  const ordered = mapping.map((from) => cells[from]?.toString() ?? 'null').join(',');
  return Buffer.concat([row.subarray(0, start), Buffer.from(`[${ordered}]`), row.subarray(end)]);
}
