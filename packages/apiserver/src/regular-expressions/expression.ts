/** Regular expressions as Go has them: no backtracking, time linear in the text. */

import { RE2JS } from 're2js';

export interface Expression {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean;
  /** All that it finds, from the left, without overlaps; at most so many. */
  findAll(text: string, most?: number): string[];
  /** What looking at a text of one sign takes, in steps. */
  readonly stepsPerSign: number;
}

/** Steps that take as long as one of an expression in CEL. */
export const stepsPerUnit = 40;

const known = new Map<string, Expression>();
/** Those of definitions are few; those that values give are not kept for long. */
const mostKept = 1_000;

/** Throws what Go says of one that cannot be read. */
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
