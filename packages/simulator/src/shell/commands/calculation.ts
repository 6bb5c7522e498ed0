/** `expr` for two integers. */

import { type Command, fail } from '../command.ts';

export const expr: Command = async (invocation) => {
  const value = calculated(invocation.args);
  if (value === undefined) return fail(invocation, 'syntax error', 2);
  await invocation.stdout(`${value}\n`);
  return value === 0 ? 1 : 0;
};

/** Undefined for other expressions. */
export function calculated([left = '', operator, right = '', ...more]: readonly string[]): number | undefined {
  if (more.length > 0 || ![left, right].every((one) => /^-?\d{1,9}$/.test(one))) return undefined;
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? undefined : Math.trunc(a / b);
    case '%':
      return b === 0 ? undefined : a % b;
    default:
      return undefined;
  }
}
