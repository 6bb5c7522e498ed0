/** Gives go-yaml's error text for YAML that breaks off, as truncated JSON does; other faults keep our own parser's text. */

import type { YAMLParseError } from 'yaml';

/** Go knows more line breaks than JavaScript. */
const lineBreak = /\r\n|[\r\n\x85\u2028\u2029]/g;

/** The line, from 0, of an offset. The line breaks are found once for all offsets. */
export function linesOf(text: string): (at: number) => number {
  let ends: number[] | undefined;
  return (at) => {
    ends ??= Array.from(text.matchAll(lineBreak), ({ index, 0: found }) => index + found.length);
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (ends[middle]! <= at) from = middle + 1;
      else to = middle;
    }
    return from;
  };
}

/** Go counts lines from 0 and omits line 0. */
const atLine = (line: number): string => (line === 0 ? '' : `line ${line}: `);

export function goYamlFault(error: YAMLParseError, text: string): string {
  const own = error.message.split('\n')[0]!;
  if (error.code !== 'MISSING_CHAR' && error.code !== 'BAD_INDENT') return own;
  const lineOf = linesOf(text);
  const last = lineOf(text.length);
  // Go's scanner reports the line after the one where the token began, or the current line.
  if (own.startsWith('Missing closing')) {
    const began = lineOf(error.pos[0]);
    return `${atLine(began === 0 && last === 0 ? 0 : (began || last) + 1)}found unexpected end of stream`;
  }
  const [, end] = /^Flow (?:map|sequence).* end with a ([}\]])/.exec(own) ?? [];
  if (end === undefined) return own;
  // The end of a text is on a line of its own.
  const line = atLine(text.endsWith('\n') ? last : last + 1);
  return /[,:[{]\s*$/.test(text)
    ? `${line}did not find expected node content`
    : `${line}did not find expected ',' or '${end}'`;
}
