/** An expression whose types are known. */

import type { Expr } from './ast.ts';
import type { Issue } from './issues.ts';
import type { Type } from './types.ts';

export interface Checked {
  expr: Expr;
  issues: Issue[];
  typeOf(expr: Expr): Type;
  /** Of a call, all that may be meant; more than one where types are not known before. */
  overloadsOf(expr: Expr): readonly string[];
}
