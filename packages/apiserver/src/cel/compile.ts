/** Compiles an expression: parses it, checks types and literals, and plans the evaluation. Throws CompileError. */

import type { Checked } from './checked.ts';
import { check } from './checker.ts';
import type { Environment } from './environment.ts';
import { type Program, plan } from './evaluate.ts';
import { CompileError } from './issues.ts';
import { literalIssues } from './literal-checks.ts';
import { parse } from './parser.ts';
import type { Type } from './types.ts';

export interface Compiled {
  checked: Checked;
  type: Type;
  program: Program;
}

export function compile(source: string, environment: Environment): Compiled {
  const expr = parse(source);
  const checked = check(expr, environment);
  if (checked.issues.length > 0) throw new CompileError(source, checked.issues);
  const issues = literalIssues(checked);
  if (issues.length > 0) throw new CompileError(source, issues);
  return { checked, type: checked.typeOf(expr), program: plan(checked, environment) };
}
