/** Columns that the command adds to a Table of the server, or prints differently. They need the whole objects. */

import type { Column, Row } from './table-output.ts';

export interface OwnColumns {
  /** Cells that show more than the server's column, by the column's name. */
  cells?: Readonly<Record<string, (object: object, cell: unknown) => unknown>>;
  /** Further columns of `-o wide`. */
  wide?: readonly WideColumn[];
}

interface WideColumn {
  name: string;
  /** The server's column that it stands behind; at the end where the server has none of that name. */
  after: string;
  textOf: (object: object) => string | undefined;
}

/** As the server prints a field that is not set. */
const missing = '<none>';

export function withOwnColumns(
  columns: readonly Column[],
  { cells: shown = {}, wide = [] }: OwnColumns,
): { columns: Column[]; cellsOf: (row: Row) => unknown[] } {
  const shownAs = columns.map(({ name }) => (Object.hasOwn(shown, name) ? shown[name] : undefined));
  const added = wide.map((column) => {
    const before = columns.findIndex(({ name }) => name === column.after);
    return { ...column, at: before < 0 ? columns.length : before + 1 };
  });
  const insert = <T>(list: readonly T[], one: (column: WideColumn) => T): T[] =>
    list.flatMap((item, index) => [item, ...added.filter(({ at }) => at === index + 1).map(one)]);
  return {
    columns: insert(columns, ({ name }) => ({ name, type: 'string', priority: 1 })),
    cellsOf: ({ cells, object }) => {
      const own = columns.map((_, index) => {
        const cell = cells?.[index];
        const text = object && shownAs[index] ? shownAs[index](object, cell) : cell;
        return text === undefined || text === null || text === '' ? missing : text;
      });
      return insert(own, ({ textOf }) => (object && textOf(object)) || missing);
    },
  };
}
