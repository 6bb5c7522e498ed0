/** A type-checked expression. */

import type { Expr } from './ast.ts';
import type { Issue } from './issues.ts';
import type { Type } from './types.ts';

export interface Checked {
  expr: Expr;
  issues: Issue[];
  typeOf(expr: Expr): Type;
  /** All possible overloads of a call; more than one if types are dynamic. */
  overloadsOf(expr: Expr): readonly string[];
}
