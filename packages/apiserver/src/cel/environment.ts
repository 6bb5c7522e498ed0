/** The environment of an expression: variables, types with fields, and functions. */

import type { Meter } from './meter.ts';
import type { Type } from './types.ts';
import { typeOf, type Value } from './values.ts';

export interface Overload {
  id: string;
  /** Called as `target.name(…)`: the target is the first argument. */
  member: boolean;
  args: readonly Type[];
  result: Type;
}

export interface FunctionDeclaration {
  overloads: readonly Overload[];
  /** Dispatches by the values. `overload` is the one determined by types, if there is only one. */
  call(args: readonly Value[], meter: Meter): Value;
}

export type Library = Readonly<Record<string, FunctionDeclaration>>;

export interface Environment {
  variables: ReadonlyMap<string, Type>;
  /** The fields of a named type; undefined if it does not exist. */
  fieldsOf(structName: string): ReadonlyMap<string, Type> | undefined;
  functions: ReadonlyMap<string, FunctionDeclaration>;
}

/** Overloads of several libraries for one name are merged; each library recognises its own values. */
export function joined(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const library of libraries) {
    for (const [name, declared] of Object.entries(library)) {
      const before = functions.get(name);
      functions.set(name, before ? either(before, declared) : declared);
    }
  }
  return functions;
}

const either = (first: FunctionDeclaration, second: FunctionDeclaration): FunctionDeclaration => ({
  overloads: [...first.overloads, ...second.overloads],
  call(args, meter) {
    return matches(second, args) ? second.call(args, meter) : first.call(args, meter);
  },
});

/** Matched by the first argument and their number, which distinguishes libraries. */
function matches({ overloads }: FunctionDeclaration, args: readonly Value[]): boolean {
  return overloads.some((overload) => overload.args.length === args.length && acceptsFirst(overload, args[0]));
}

function acceptsFirst({ args: [type] }: Overload, value: Value | undefined): boolean {
  if (!type || value === undefined) return type === undefined && value === undefined;
  const actual = typeOf(value);
  return type.kind === 'param' || type.kind === 'dyn' || (type.kind === actual.kind && type.name === actual.name);
}
