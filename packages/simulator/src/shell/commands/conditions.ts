/** `test` and `[`. */

import { type Command, fail, type Invocation } from '../command.ts';
import { resolvePath } from '../files.ts';

type Fault = { why: string };

const numeric: ReadonlyMap<string, (left: number, right: number) => boolean> = new Map([
  ['-eq', (left, right) => left === right],
  ['-ne', (left, right) => left !== right],
  ['-gt', (left, right) => left > right],
  ['-ge', (left, right) => left >= right],
  ['-lt', (left, right) => left < right],
  ['-le', (left, right) => left <= right],
]);

export const test: Command = async (invocation) => {
  const { name, args } = invocation;
  if (name === '[' && args.at(-1) !== ']') return fail(invocation, 'missing ]', 2);
  const result = holds(name === '[' ? args.slice(0, -1) : args, invocation);
  if (typeof result === 'object') return fail(invocation, result.why, 2);
  return result ? 0 : 1;
};

/** More than four terms are refused before anything is looked at. */
function holds(terms: readonly string[], invocation: Invocation): boolean | Fault {
  if (terms.length > 4) return { why: 'too many arguments' };
  const [first, second, third] = terms;
  if (first === '!' && terms.length > 1) {
    const inner = holds(terms.slice(1), invocation);
    return typeof inner === 'object' ? inner : !inner;
  }
  switch (terms.length) {
    case 0:
      return false;
    case 1:
      return first !== '';
    case 2:
      return unary(first!, second!, invocation);
    case 3:
      return binary(first!, second!, third!);
    default:
      return { why: 'too many arguments' };
  }
}

function unary(operator: string, value: string, { state, world: { files } }: Invocation): boolean | Fault {
  const path = resolvePath(state.directory, value);
  switch (operator) {
    case '-z':
      return value === '';
    case '-n':
      return value !== '';
    case '-f':
      return files.read(path) !== undefined;
    case '-d':
      return files.entries(path) !== undefined;
    case '-e':
    case '-r':
      return files.read(path) !== undefined || files.entries(path) !== undefined;
    case '-s':
      return (files.read(path) ?? '') !== '';
    case '-w':
      return false;
    default:
      return { why: `${operator}: unknown operand` };
  }
}

function binary(left: string, operator: string, right: string): boolean | Fault {
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const compare = numeric.get(operator);
  if (!compare) return { why: `${operator}: unknown operand` };
  const bad = [left, right].find((one) => !/^[+-]?\d{1,15}$/.test(one));
  return bad === undefined ? compare(Number(left), Number(right)) : { why: `${bad}: bad number` };
}
