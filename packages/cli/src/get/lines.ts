/** Lines of cells in columns, as kubectl's tabwriter sets them: three spaces apart, at least six wide, the last one as it is. */

const padding = 3;
const leastWidth = 6;

/** Widths are remembered, so that later rows stand under the earlier ones wherever they fit. */
export class Lines {
  private readonly widths: number[] = [];

  print(lines: readonly (readonly string[])[]): string {
    for (const line of lines) {
      for (const [column, cell] of line.slice(0, -1).entries()) {
        this.widths[column] = Math.max(this.widths[column] ?? leastWidth, lengthOf(cell) + padding);
      }
    }
    return lines.map((line) => `${this.set(line)}\n`).join('');
  }

  private set(line: readonly string[]): string {
    const last = line.length - 1;
    return line
      .map((cell, column) => (column === last ? cell : cell + ' '.repeat(this.widths[column]! - lengthOf(cell))))
      .join('');
  }
}

/** In characters, as Go counts. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};
