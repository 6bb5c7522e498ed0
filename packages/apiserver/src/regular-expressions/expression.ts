/** Regular expressions with Go's semantics: no backtracking, in time linear in the text. */

import { RE2JS } from 're2js';

export interface Expression {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** All matches, from the left, without overlaps; at most so many. */
  findAll(text: string, most?: number): string[];
  /** The cost of one character of the text, in steps. */
  readonly stepsPerSign: number;
}

/** Steps that take as long as one step of a CEL expression. */
export const stepsPerUnit = 40;

const known = new Map<string, Expression>();
/** Definitions have few expressions; those from values are not cached for long. */
const mostKept = 1_000;

/** Throws Go's error for an invalid expression. */
export function expressionOf(source: string): Expression {
  const before = known.get(source);
  if (before) return before;
  const compiled = RE2JS.compile(source);
  const made: Expression = {
    test: (text) => compiled.matcher(text).find(),
    findAll(text, most = Number.POSITIVE_INFINITY) {
      const found: string[] = [];
      const matcher = compiled.matcher(text);
      while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
    stepsPerSign: compiled.programSize(),
  };
  if (known.size >= mostKept) known.clear();
  known.set(source, made);
  return made;
}
