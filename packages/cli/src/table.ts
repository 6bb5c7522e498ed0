/** Prints tables as kubectl does: columns three spaces apart, headings in capitals. */

/** What is used of `meta.k8s.io/v1` Table. */
export interface Table {
  columnDefinitions: { name: string; type: string; format?: string; priority?: number }[];
  rows: { cells: unknown[] }[];
}

export function printTable({ columnDefinitions, rows }: Table, { wide = false } = {}): string {
  const shown = columnDefinitions.flatMap(({ priority = 0 }, index) => (wide || priority === 0 ? [index] : []));
  const lines = [
    shown.map((index) => columnDefinitions[index]!.name.toUpperCase()),
    ...rows.map(({ cells }) => shown.map((index) => cellText(cells[index]))),
  ];
  const widths = shown.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const print = (line: string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('   ')
      .trimEnd();
  return `${lines.map(print).join('\n')}\n`;
}

const cellText = (cell: unknown): string =>
  cell === null || cell === undefined || cell === '' ? '<none>' : String(cell);
