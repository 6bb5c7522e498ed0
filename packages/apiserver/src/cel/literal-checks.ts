/** Checks literals after the type check, and refuses those that can never be valid. */

import { expressionOf } from '../regular-expressions/expression.ts';
import { type Expr, walk } from './ast.ts';
import type { Checked } from './checked.ts';
import type { Issue } from './issues.ts';
import { parseDuration, parseTime } from './library/durations.ts';
import { clausesIn } from './library/text-format.ts';
import { formatType, sameType, type Type, unwrapped } from './types.ts';
import type { Value } from './values.ts';

const isExpression = (value: Value): boolean => {
  try {
    expressionOf(String(value));
    return true;
  } catch {
    return false;
  }
};

/** By function: whether a literal is a valid argument. */
const literals: { [name: string]: (value: Value) => boolean } = {
  duration: (value) => typeof value !== 'string' || parseDuration(value) !== undefined,
  timestamp: (value) => typeof value !== 'string' || parseTime(value) !== undefined,
  matches: isExpression,
};

export function literalIssues(checked: Checked): Issue[] {
  const issues: Issue[] = [];
  for (const { expr, around } of walk(checked.expr)) {
    if (expr.kind === 'call') issues.push(...callIssues(expr));
    const isExempt = around.some((one) => one.kind === 'call' && one.name === 'format');
    if (!isExempt) issues.push(...mixedIssues(expr, checked));
  }
  return issues;
}

function callIssues({ name, target, args, at }: Expr & { kind: 'call' }): Issue[] {
  const [argument] = args;
  const isFine = Object.hasOwn(literals, name) ? literals[name] : undefined;
  if (isFine && argument?.kind === 'literal' && !isFine(argument.value)) {
    return [{ at: argument.at, message: `invalid ${name} argument` }];
  }
  if (name !== 'format' || target?.kind !== 'literal' || argument?.kind !== 'list') return [];
  const [expected, given] = [clausesIn(String(target.value)), argument.elements.length];
  if (given > expected) {
    return [{ at, message: `too many arguments supplied to string.format (expected ${expected}, got ${given})` }];
  }
  return given < expected ? [{ at, message: `index ${given} out of range` }] : [];
}

/** Lists and maps with elements of several types. */
function mixedIssues(expr: Expr, checked: Checked): Issue[] {
  if (expr.kind === 'list') {
    const typed = expr.elements.map((one, index) => ({
      one,
      type: elementType(checked.typeOf(one), expr.optional[index]!),
    }));
    return mixed(typed).slice(0, 1);
  }
  if (expr.kind !== 'map') return [];
  return [
    ...mixed(expr.entries.map(({ key }) => ({ one: key, type: checked.typeOf(key) }))),
    ...mixed(
      expr.entries.map(({ value, optional }) => ({ one: value, type: elementType(checked.typeOf(value), optional) })),
    ),
  ];
}

const elementType = (type: Type, optional: boolean): Type => (optional ? unwrapped(type) : type);

function mixed(typed: readonly { one: Expr; type: Type }[]): Issue[] {
  const [first, ...others] = typed;
  return others
    .filter(({ type }) => !sameType(type, first!.type))
    .map(({ one, type }) => ({
      at: one.at,
      message: `expected type '${formatType(first!.type)}' but found '${formatType(type)}'`,
    }));
}
