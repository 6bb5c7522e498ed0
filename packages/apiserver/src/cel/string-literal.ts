/** Finds the end of a string literal in one pass: `"…"`, `\'…\'`, both also tripled, raw ones without escapes. */

export interface StringLiteral {
  prefix: string;
  /** Including its quotes. */
  quoted: string;
}

const prefixes = /[rRbB]{0,2}/y;
const isRaw = (prefix: string): boolean => /r/i.test(prefix) && !/rr|bb/i.test(prefix);

/** Undefined if no literal begins there; a number is the position at which an unterminated one ends. */
export function stringLiteralAt(source: string, index: number): StringLiteral | number | undefined {
  prefixes.lastIndex = index;
  const [prefix] = prefixes.exec(source)!;
  const start = index + prefix.length;
  const quote = source[start];
  if (quote !== '"' && quote !== "'") return undefined;
  const marks = source.startsWith(quote.repeat(3), start) ? 3 : 1;
  const end = endOf(source, start + marks, quote.repeat(marks), isRaw(prefix));
  if (end.found) return { prefix, quoted: source.slice(start, end.at) };
  // Three unterminated quotes are an empty string and the beginning of another.
  return marks === 3 ? { prefix, quoted: quote + quote } : end.at;
}

function endOf(source: string, from: number, closing: string, raw: boolean): { found: boolean; at: number } {
  const isLine = closing.length === 1;
  let at = from;
  for (; at < source.length; at++) {
    const sign = source[at]!;
    if (sign === closing[0] && source.startsWith(closing, at)) return { found: true, at: at + closing.length };
    if (isLine && (sign === '\n' || sign === '\r')) break;
    if (sign === '\\' && !raw) {
      at++;
      if (isLine && (source[at] === '\n' || source[at] === '\r')) break;
    }
  }
  return { found: false, at: Math.min(at, source.length) };
}
