/** Semantic equality, as in apimachinery's `equality.Semantic`, and immutable fields. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, invalidValue } from '../../errors/field-error.ts';

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** An absent list equals an empty one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other || (isNothing(one) && isNothing(other))) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  if (!isObject(one as JsonValue) || !isObject(other as JsonValue)) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) => isSame(left[name], right[name]));
}

/** For maps: an absent one equals an empty one. */
export const isSameMap = (one: object | undefined, other: object | undefined): boolean =>
  isSame(one ?? {}, other ?? {});

export const immutableErrors = (value: unknown, old: unknown, at: string): FieldError[] =>
  isSame(value, old) ? [] : [invalidValue(at, value ?? null, 'field is immutable')];
