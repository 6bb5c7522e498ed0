/** Validates values against their type, with structured-merge-diff's error texts. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Atom, ListType, MapType, ScalarType, TypeRef } from '../../schema/merge-type.ts';
import { type PathElement, stepText } from '../fields/path-element.ts';
import { goSource, goText, goType } from '../go-text.ts';
import { elementStep } from './list-element.ts';

/** The maximum number of errors: each has a path as long as the value is deep. */
const mostMisfits = 256;

export interface Misfit {
  path: string;
  message: string;
}

export const misfit = (message: string): Misfit => ({ path: '', message });

export const below = (step: PathElement, misfits: readonly Misfit[]): Misfit[] =>
  misfits.map(({ path, message }) => ({ path: stepText(step) + path, message }));

export function misfitText(misfits: readonly Misfit[]): string {
  const texts = misfits.map(({ path, message }) => (path ? `${path}: ${message}` : message));
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

export function scalarMisfits(type: ScalarType, value: JsonValue | undefined, prefix = ''): Misfit[] {
  if (value === undefined || value === null) return [];
  const kind = typeof value;
  const isNumber = kind === 'number' || kind === 'bigint';
  switch (type) {
    case 'numeric':
      return isNumber ? [] : [misfit(`${prefix}expected numeric (int or float), got ${goType(value)}`)];
    case 'string':
      if (kind === 'string') return [];
      return [misfit(`${prefix}expected string, got &value.valueUnstructured{Value:${goSource(value)}}`)];
    case 'boolean':
      return kind === 'boolean' ? [] : [misfit(`${prefix}expected boolean, got &{${goText(value)}}`)];
    case 'untyped':
      return kind !== 'object' ? [] : [misfit(`${prefix}expected any scalar, got &{${goText(value)}}`)];
  }
}

/** All errors. Live lists may have repeated elements, applied ones must not. */
export function misfitsOf(value: JsonValue, type: TypeRef, allowDuplicates: boolean): Misfit[] {
  return resolved<Misfit[]>(type, value, {
    scalar: (scalar) => scalarMisfits(scalar, value),
    list: (list) => {
      if (value === null) return [];
      if (!Array.isArray(value)) return [misfit(`expected list, got &{${goText(value)}}`)];
      return listMisfits(value, list, allowDuplicates);
    },
    map: (map) => {
      if (value === null) return [];
      if (!isObject(value)) return [misfit(`expected map, got &{${goText(value)}}`)];
      return mapMisfits(value, map, allowDuplicates);
    },
    none: (message) => [misfit(message)],
  });
}

function listMisfits(list: JsonValue[], type: ListType, allowDuplicates: boolean): Misfit[] {
  const misfits: Misfit[] = [];
  const seen = new Set<string>();
  for (const [index, element] of list.entries()) {
    const step = elementStep(type, element, index);
    if ('problem' in step) return [...misfits, misfit(`element ${index}: ${step.problem}`)];
    if (seen.has(step.text) && !allowDuplicates) misfits.push(misfit(`duplicate entries for key ${stepText(step)}`));
    seen.add(step.text);
    misfits.push(...below(step, misfitsOf(element, type.element, allowDuplicates)));
    if (misfits.length >= mostMisfits) break;
  }
  return misfits;
}

function mapMisfits(map: { [key: string]: JsonValue }, type: MapType, allowDuplicates: boolean): Misfit[] {
  const misfits: Misfit[] = [];
  for (const [key, value] of Object.entries(map)) {
    const step: PathElement = { by: 'name', name: key, text: `f:${key}` };
    const field = type.field(key)?.type ?? type.element;
    if (!field) return [...misfits, ...below(step, [misfit('field not declared in schema')])];
    misfits.push(...below(step, misfitsOf(value, field, allowDuplicates)));
    if (misfits.length >= mostMisfits) break;
  }
  return misfits;
}

/** Whether a live object is valid: checked for every write, so it allocates nothing. */
export function fitsLive(value: JsonValue, type: TypeRef): boolean {
  const atom = type.resolve();
  if (!atom) return false;
  const { scalar, list, map } = atom;
  if (value === null) return Boolean(scalar ?? list ?? map);
  if (Array.isArray(value)) return list !== undefined && fitsList(value, list);
  if (isObject(value)) return map !== undefined && fitsMap(value, map);
  return scalar !== undefined && scalarMisfits(scalar, value).length === 0;
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
