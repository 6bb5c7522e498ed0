/** Type assignability and type parameters: unification as in cel-go. */

import { dyn, list, map, opaque, sameType, type Type, typeOfType } from './types.ts';

/** The types found for type parameters, by name. */
export type Substitutions = Map<string, Type>;

const isAny = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'error';

/** Undefined if a type is not assignable; otherwise the substitutions after it. */
export function assigned(known: Substitutions, from: readonly Type[], to: readonly Type[]): Substitutions | undefined {
  const found = new Map(known);
  return fitAll(found, from, to) ? found : undefined;
}

function fitAll(known: Substitutions, from: readonly Type[], to: readonly Type[]): boolean {
  return from.length === to.length && from.every((one, index) => fits(known, one, to[index]!));
}

function fits(known: Substitutions, a: Type, b: Type): boolean {
  if (b.kind === 'param') {
    const { valid, isKnown } = substitutes(known, a, b);
    if (valid) return true;
    if (isKnown) return false;
  }
  if (a.kind === 'param') return substitutes(known, b, a).valid;
  if (isAny(a) || isAny(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return a.name === b.name && fitAll(known, a.params, b.params);
    default:
      return a.name === b.name;
  }
}

const isNullable = ({ kind }: Type): boolean =>
  kind === 'opaque' || kind === 'struct' || kind === 'duration' || kind === 'timestamp' || kind === 'null';

/** Whether the parameter `open` may be substituted by a type. */
function substitutes(known: Substitutions, type: Type, open: Type): { valid: boolean; isKnown: boolean } {
  if (sameType(type, open)) return { valid: true, isKnown: true };
  const before = known.get(open.name);
  if (before) {
    if (sameType(type, before)) return { valid: true, isKnown: true };
    if (!fits(known, type, before)) return { valid: false, isKnown: true };
    const general = moreGeneral(type, before);
    if (!occursIn(known, open, general)) known.set(open.name, general);
    return { valid: true, isKnown: true };
  }
  if (occursIn(known, open, type)) return { valid: false, isKnown: false };
  known.set(open.name, type);
  return { valid: true, isKnown: false };
}

export const moreGeneral = (a: Type, b: Type): Type => (isLessSpecific(a, b) ? a : b);

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((one, index) => isLessSpecific(one, b.params[index]!))
      );
    default:
      return sameType(a, b);
  }
}

function occursIn(known: Substitutions, open: Type, within: Type): boolean {
  if (sameType(open, within)) return true;
  if (within.kind === 'param') {
    const found = known.get(within.name);
    return found !== undefined && occursIn(known, open, found);
  }
  return within.params.some((one) => occursIn(known, open, one));
}

/** The type with all substitutions; remaining parameters become dynamic if `openIsDyn`. */
export function substituted(known: Substitutions, type: Type, openIsDyn: boolean): Type {
  if (type.kind === 'param') {
    const found = known.get(type.name);
    if (found) return substituted(known, found, openIsDyn);
    return openIsDyn ? dyn : type;
  }
  const params = type.params.map((one) => substituted(known, one, openIsDyn));
  switch (type.kind) {
    case 'opaque':
      return opaque(type.name, ...params);
    case 'list':
      return list(params[0]!);
    case 'map':
      return map(params[0]!, params[1]!);
    case 'type':
      return params.length > 0 ? typeOfType(params[0]!) : type;
    default:
      return type;
  }
}
