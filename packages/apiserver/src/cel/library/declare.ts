/** Declares functions: one line per overload, and the implementation. */

import type { FunctionDeclaration, Overload } from '../environment.ts';
import type { Meter } from '../meter.ts';
import type { Type } from '../types.ts';
import { EvaluationError, noSuchOverload, type Value } from '../values.ts';

export const free = (id: string, args: readonly Type[], result: Type): Overload => ({
  id,
  member: false,
  args,
  result,
});
export const member = (id: string, args: readonly Type[], result: Type): Overload => ({
  id,
  member: true,
  args,
  result,
});

export const declare = (
  overloads: readonly Overload[],
  call: (args: readonly Value[], meter: Meter) => Value,
): FunctionDeclaration => ({ overloads, call });

export function asText(value: Value | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload();
  return value;
}

export function asInt(value: Value | undefined): bigint {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return value;
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

export function inRange(value: bigint, message = 'integer overflow'): bigint {
  if (value < smallest || value > largest) throw new EvaluationError(message);
  return value;
}

export function unsigned(value: bigint): bigint {
  if (value < 0n || value >= 2n ** 64n) throw new EvaluationError('unsigned integer overflow');
  return value;
}
