/** `test`, `[` and `[[`. */

import { type Command, fail } from '../command.ts';
import { resolvePath } from '../files.ts';
import type { WrittenFiles } from '../written-files.ts';

type Fault = { why: string };

const numeric: ReadonlyMap<string, (left: number, right: number) => boolean> = new Map([
  ['-eq', (left, right) => left === right],
  ['-ne', (left, right) => left !== right],
  ['-gt', (left, right) => left > right],
  ['-ge', (left, right) => left >= right],
  ['-lt', (left, right) => left < right],
  ['-le', (left, right) => left <= right],
]);

/** The closing bracket of those that have one. */
const closing: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['[[', ']]'],
]);

export const test: Command = async (invocation) => {
  const { name, args, state } = invocation;
  const end = closing.get(name);
  if (end !== undefined && args.at(-1) !== end) return fail(invocation, `missing ${end}`, 2);
  const result = holds(end === undefined ? args : args.slice(0, -1), pathsOf(invocation.world.files, state.directory));
  if (typeof result === 'object') return fail(invocation, result.why, 2);
  return result ? 0 : 1;
};

/** The file tests of conditions. */
export interface Paths {
  isFile(path: string): boolean;
  isDirectory(path: string): boolean;
  /** A file that is not empty. */
  isFilled(path: string): boolean;
}

export function pathsOf(files: WrittenFiles, directory: string): Paths {
  const at = (path: string): string => resolvePath(directory, path);
  return {
    isFile: (path) => files.size(at(path)) !== undefined,
    isDirectory: (path) => files.isDirectory(at(path)),
    isFilled: (path) => (files.size(at(path)) ?? 0) > 0,
  };
}

/** More than four terms are refused before any is evaluated. */
export function holds(terms: readonly string[], paths: Paths): boolean | Fault {
  if (terms.length > 4) return { why: 'too many arguments' };
  const [first, second, third] = terms;
  if (first === '!' && terms.length > 1) {
    const inner = holds(terms.slice(1), paths);
    return typeof inner === 'object' ? inner : !inner;
  }
  switch (terms.length) {
    case 0:
      return false;
    case 1:
      return first !== '';
    case 2:
      return unary(first!, second!, paths);
    case 3:
      return binary(first!, second!, third!);
    default:
      return { why: 'too many arguments' };
  }
}

function unary(operator: string, value: string, paths: Paths): boolean | Fault {
  switch (operator) {
    case '-z':
      return value === '';
    case '-n':
      return value !== '';
    case '-f':
      return paths.isFile(value);
    case '-d':
      return paths.isDirectory(value);
    case '-e':
    case '-r':
    case '-w':
      return paths.isFile(value) || paths.isDirectory(value);
    case '-s':
      return paths.isFilled(value);
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
