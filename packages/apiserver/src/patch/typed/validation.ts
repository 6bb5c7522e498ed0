/** Validates values against their type, with structured-merge-diff's error texts. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Atom, ListType, MapType, ScalarType, TypeRef } from '../../schema/merge-type.ts';
import { type PathElement, stepText } from '../fields/path-element.ts';
import { goSource, goText, goType } from '../go-text.ts';
import { elementStep } from './list-element.ts';

/** The maximum number of errors: each has a path as long as the value is deep. */
const maxErrors = 256;

export interface InvalidValue {
  path: string;
  message: string;
}

export const invalid = (message: string): InvalidValue => ({ path: '', message });

export const below = (step: PathElement, errors: readonly InvalidValue[]): InvalidValue[] =>
  errors.map(({ path, message }) => ({ path: stepText(step) + path, message }));

export function errorText(errors: readonly InvalidValue[]): string {
  const texts = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return texts.length === 1 ? texts[0]! : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

/** One function for each kind of type. */
export interface Handler<Result> {
  scalar(type: ScalarType): Result;
  list(type: ListType): Result;
  map(type: MapType): Result;
  /** The schema has no type for it, or an empty one. */
  none(message: string): Result;
}

/** The parts of the type that match the value; all of it if none does. */
export function fitting(atom: Atom, value: JsonValue | undefined): Atom {
  if (value === undefined || value === null) return atom;
  if (Array.isArray(value)) return atom.list ? { list: atom.list } : atom;
  if (isObject(value)) return atom.map ? { map: atom.map } : atom;
  return atom.scalar ? { scalar: atom.scalar } : atom;
}

export function handle<Result>(atom: Atom, type: TypeRef, handler: Handler<Result>): Result {
  if (atom.map) return handler.map(atom.map);
  if (atom.scalar) return handler.scalar(atom.scalar);
  if (atom.list) return handler.list(atom.list);
  return handler.none(`schema error: invalid atom: ${type.name ? `named type: ${type.name}` : 'inlined'}`);
}

export const noType = (type: TypeRef): string => `schema error: no type found matching: ${type.name ?? 'inlined type'}`;

/** `type` is absent if a map does not declare the field. */
export function resolved<Result>(type: TypeRef, value: JsonValue | undefined, handler: Handler<Result>): Result {
  const atom = type.resolve();
  return atom ? handle(fitting(atom, value), type, handler) : handler.none(noType(type));
}

export function scalarErrors(type: ScalarType, value: JsonValue | undefined, prefix = ''): InvalidValue[] {
  if (value === undefined || value === null) return [];
  const kind = typeof value;
  const isNumber = kind === 'number' || kind === 'bigint';
  switch (type) {
    case 'numeric':
      return isNumber ? [] : [invalid(`${prefix}expected numeric (int or float), got ${goType(value)}`)];
    case 'string':
      if (kind === 'string') return [];
      return [invalid(`${prefix}expected string, got &value.valueUnstructured{Value:${goSource(value)}}`)];
    case 'boolean':
      return kind === 'boolean' ? [] : [invalid(`${prefix}expected boolean, got &{${goText(value)}}`)];
    case 'untyped':
      return kind !== 'object' ? [] : [invalid(`${prefix}expected any scalar, got &{${goText(value)}}`)];
  }
}

/** All errors. Live lists may have repeated elements, applied ones must not. */
export function validationErrors(value: JsonValue, type: TypeRef, allowDuplicates: boolean): InvalidValue[] {
  return resolved<InvalidValue[]>(type, value, {
    scalar: (scalar) => scalarErrors(scalar, value),
    list: (list) => {
      if (value === null) return [];
      if (!Array.isArray(value)) return [invalid(`expected list, got &{${goText(value)}}`)];
      return listErrors(value, list, allowDuplicates);
    },
    map: (map) => {
      if (value === null) return [];
      if (!isObject(value)) return [invalid(`expected map, got &{${goText(value)}}`)];
      return mapErrors(value, map, allowDuplicates);
    },
    none: (message) => [invalid(message)],
  });
}

function listErrors(list: JsonValue[], type: ListType, allowDuplicates: boolean): InvalidValue[] {
  const errors: InvalidValue[] = [];
  const seen = new Set<string>();
  for (const [index, element] of list.entries()) {
    const step = elementStep(type, element, index);
    if ('problem' in step) return [...errors, invalid(`element ${index}: ${step.problem}`)];
    if (seen.has(step.text) && !allowDuplicates) errors.push(invalid(`duplicate entries for key ${stepText(step)}`));
    seen.add(step.text);
    errors.push(...below(step, validationErrors(element, type.element, allowDuplicates)));
    if (errors.length >= maxErrors) break;
  }
  return errors;
}

function mapErrors(map: { [key: string]: JsonValue }, type: MapType, allowDuplicates: boolean): InvalidValue[] {
  const errors: InvalidValue[] = [];
  for (const [key, value] of Object.entries(map)) {
    const step: PathElement = { by: 'name', name: key, text: `f:${key}` };
    const field = type.field(key)?.type ?? type.element;
    if (!field) return [...errors, ...below(step, [invalid('field not declared in schema')])];
    errors.push(...below(step, validationErrors(value, field, allowDuplicates)));
    if (errors.length >= maxErrors) break;
  }
  return errors;
}

/** Whether a live object is valid: checked for every write, so it allocates nothing. */
export function fitsLive(value: JsonValue, type: TypeRef): boolean {
  const atom = type.resolve();
  if (!atom) return false;
  const { scalar, list, map } = atom;
  if (value === null) return Boolean(scalar ?? list ?? map);
  if (Array.isArray(value)) return list !== undefined && fitsList(value, list);
  if (isObject(value)) return map !== undefined && fitsMap(value, map);
  return scalar !== undefined && scalarErrors(scalar, value).length === 0;
}

function fitsList(list: JsonValue[], type: ListType): boolean {
  for (const [index, element] of list.entries()) {
    if (!type.atomic && 'problem' in elementStep(type, element, index)) return false;
    if (!fitsLive(element, type.element)) return false;
  }
  return true;
}

function fitsMap(map: { [key: string]: JsonValue }, type: MapType): boolean {
  for (const key of Object.keys(map)) {
    const field = type.field(key)?.type ?? type.element;
    if (!field || !fitsLive(map[key]!, field)) return false;
  }
  return true;
}
