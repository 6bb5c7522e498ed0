/** The syntax tree of CEL (the Common Expression Language). Macros are expanded by the parser. */

import type { Value } from './values.ts';

interface Node {
  /** Unique per node: types and overloads are stored beside the tree, by id. */
  id: number;
  /** The position in the source, in code points, for errors. */
  at: number;
}

export type Expr =
  | (Node & { kind: 'literal'; value: Value })
  | (Node & { kind: 'ident'; name: string })
  /** `operand.field`, or, with `test`, whether it exists: `has(operand.field)`. */
  | (Node & { kind: 'select'; operand: Expr; field: string; test: boolean })
  | (Node & { kind: 'call'; name: string; target: Expr | undefined; args: Expr[] })
  | (Node & { kind: 'list'; elements: Expr[]; optional: boolean[] })
  | (Node & { kind: 'map'; entries: MapEntry[] })
  | (Node & { kind: 'struct'; type: string; fields: { name: string; value: Expr; at: number }[] })
  | (Node & Fold);

export interface MapEntry {
  key: Expr;
  value: Expr;
  optional: boolean;
}

/** A comprehension, of which all loops and bindings are made: a range and an accumulator. */
export interface Fold {
  kind: 'fold';
  range: Expr;
  variable: string;
  /** The value, if the first variable is the index or key. */
  variable2: string | undefined;
  accumulator: string;
  init: Expr;
  condition: Expr;
  step: Expr;
  result: Expr;
}

/** A name that cannot occur in source text. */
export const accumulatorName = '@result';

/** A binding is a comprehension over an empty range: its accumulator is a name for a value. */
export const isBinding = (fold: Fold): boolean =>
  fold.range.kind === 'list' &&
  fold.range.elements.length === 0 &&
  fold.condition.kind === 'literal' &&
  fold.condition.value === false &&
  fold.accumulator !== accumulatorName;

/** Every node, outermost first, with its ancestors. */
export function* walk(expr: Expr, around: readonly Expr[] = []): Generator<{ expr: Expr; around: readonly Expr[] }> {
  yield { expr, around };
  const inside = [expr, ...around];
  for (const part of partsOf(expr)) yield* walk(part, inside);
}

function partsOf(expr: Expr): Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return [...(expr.target ? [expr.target] : []), ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
