/** Errors of an expression in cel-go's format: the position, and the line with a mark under it. */

export interface Issue {
  at: number;
  message: string;
}

/** An expression that has a syntax error or a type error. */
export class CompileError extends Error {
  constructor(source: string, issues: readonly Issue[]) {
    super(display(source, issues));
  }
}

const mostShown = 100;

function display(source: string, issues: readonly Issue[]): string {
  const placeOf = placesIn(source);
  const placed = issues.map(({ at, message }) => ({ ...placeOf(at), message }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = source.split('\n');
  const shown = placed.slice(0, mostShown).map(({ line, column, message }) => {
    const text = (lines[line - 1] ?? '').replaceAll('\t', ' ');
    return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${mark([...text], column)}`;
  });
  if (issues.length > mostShown) shown.push(`${issues.length - mostShown} more errors were truncated`);
  return shown.join('\n');
}

/** Line starts are found once for all positions. */
function placesIn(source: string): (at: number) => { line: number; column: number } {
  const starts = [0];
  for (const [index, sign] of [...source].entries()) if (sign === '\n') starts.push(index + 1);
  return (at) => {
    let [from, to] = [0, starts.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (starts[middle]! <= at) from = middle;
      else to = middle;
    }
    return { line: from + 1, column: at - starts[from]! };
  };
}

/** Dots up to the position; wide ones below characters of more than one byte. */
function mark(line: readonly string[], column: number): string {
  const isWide = (sign: string | undefined) => sign !== undefined && sign.codePointAt(0)! > 0x7f;
  const dots = line.slice(0, column).map((sign) => (isWide(sign) ? '\uff0e' : '.'));
  return `${dots.join('')}${isWide(line[column]) ? '\uff3e' : '^'}`;
}
