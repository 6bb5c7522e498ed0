/** Reads nested fields of objects without a TypeScript type, whatever their form, and changes them in copies. */

import { isRecord } from '@fleet/kube/is-record.ts';

export type Fields = Record<string, unknown>;
export type Path = readonly [string, ...string[]];

export function fieldAt(value: unknown, ...path: string[]): unknown {
  let field = value;
  for (const key of path) {
    if (!isRecord(field)) return undefined;
    field = field[key];
  }
  return field;
}

export function recordAt(value: unknown, ...path: string[]): Fields {
  const field = fieldAt(value, ...path);
  return isRecord(field) ? field : {};
}

/** The objects of a list; none where there is no list. */
export function recordsAt(value: unknown, ...path: string[]): Fields[] {
  const field = fieldAt(value, ...path);
  return Array.isArray(field) ? field.filter(isRecord) : [];
}

export function textAt(value: unknown, ...path: string[]): string {
  const field = fieldAt(value, ...path);
  return typeof field === 'string' ? field : '';
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const field = fieldAt(value, ...path);
  return typeof field === 'number' ? field : undefined;
}

/** A copy with the field set, or without it where the value is undefined. The object itself if there is nothing to take away. */
export function withField<T extends object>(object: T, [key, ...rest]: Path, value: unknown): T {
  const fields = object as Fields;
  const [next, ...others] = rest;
  if (next === undefined) return value === undefined ? withoutKey(object, key) : { ...object, [key]: value };
  const inner = fields[key];
  if (!isRecord(inner))
    return value === undefined ? object : { ...object, [key]: withField({}, [next, ...others], value) };
  const changed = withField(inner, [next, ...others], value);
  return changed === inner ? object : { ...object, [key]: changed };
}

export const withoutFields = <T extends object>(object: T, ...paths: Path[]): T =>
  paths.reduce((left, path) => withField(left, path, undefined), object);

function withoutKey<T extends object>(object: T, key: string): T {
  if (!Object.hasOwn(object, key)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)) as T;
}
