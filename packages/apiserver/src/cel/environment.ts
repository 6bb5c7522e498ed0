/** What an expression may name: variables, types with fields, and functions. */

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
  /** All overloads are told apart by their values. `overload` is the one that fits by its types, if only one does. */
  call(args: readonly Value[], meter: Meter): Value;
}

export type Library = Readonly<Record<string, FunctionDeclaration>>;

export interface Environment {
  variables: ReadonlyMap<string, Type>;
  /** Fields of a type with a name; undefined if there is none of it. */
  fieldsOf(structName: string): ReadonlyMap<string, Type> | undefined;
  functions: ReadonlyMap<string, FunctionDeclaration>;
}

/** Overloads of several libraries for one name come together; each library knows its own values. */
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

/** By the first argument and their number: enough to tell libraries apart. */
function matches({ overloads }: FunctionDeclaration, args: readonly Value[]): boolean {
  return overloads.some((overload) => overload.args.length === args.length && acceptsFirst(overload, args[0]));
}

function acceptsFirst({ args: [type] }: Overload, value: Value | undefined): boolean {
  if (!type || value === undefined) return type === undefined && value === undefined;
  const actual = typeOf(value);
  return type.kind === 'param' || type.kind === 'dyn' || (type.kind === actual.kind && type.name === actual.name);
}
