/** Reads the fields of an answer as Go would: null is absent, and a value of another type is an error that names the field. */

import { isRecord } from '@fleet/kube/is-record.ts';

export class AnswerError extends Error {}

type Fields = Record<string, unknown>;

const wrong = (field: string, what: string): AnswerError => new AnswerError(`${field} ${what}`);

/** Undefined where it is absent. */
function read<Value>(
  fields: Fields,
  key: string,
  field: string,
  is: (value: unknown) => value is Value,
  what: string,
): Value | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!is(value)) throw wrong(`${field}.${key}`, `is no ${what}`);
  return value;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** Go writes an absent text as the empty one. */
export const textAt = (fields: Fields, key: string, field: string): string | undefined =>
  read(fields, key, field, isText, 'string') || undefined;

export const flagAt = (fields: Fields, key: string, field: string): boolean | undefined =>
  read(fields, key, field, isFlag, 'boolean');

export const integerAt = (fields: Fields, key: string, field: string): number | undefined =>
  read(fields, key, field, isInteger, 'integer');

export const recordAt = (fields: Fields, key: string, field: string): Fields | undefined =>
  read(fields, key, field, isRecord, 'object');

export const listAt = (fields: Fields, key: string, field: string): unknown[] | undefined =>
  read(fields, key, field, isList, 'list');

export function recordsAt(fields: Fields, key: string, field: string): Fields[] | undefined {
  return listAt(fields, key, field)?.map((value, index) => {
    if (!isRecord(value)) throw wrong(`${field}.${key}[${index}]`, 'is no object');
    return value;
  });
}

export function textsAt(fields: Fields, key: string, field: string): string[] | undefined {
  return listAt(fields, key, field)?.map((value, index) => {
    if (!isText(value)) throw wrong(`${field}.${key}[${index}]`, 'is no string');
    return value;
  });
}

export function textMapAt(fields: Fields, key: string, field: string): Record<string, string> | undefined {
  const map = recordAt(fields, key, field);
  if (!map) return undefined;
  for (const [name, value] of Object.entries(map)) {
    if (!isText(value)) throw wrong(`${field}.${key}`, `has a value that is no string (${shortened(name)})`);
  }
  return map as Record<string, string>;
}

/** For what an operation requires. */
export function required<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw wrong(field, 'is missing');
  return value;
}

const longest = 256;

/** A text from outside for an error message: one line, not too long. */
export function shortened(text: string): string {
  const line = text.slice(0, longest).replaceAll(/\p{Cc}+/gu, ' ');
  return text.length > longest ? `${line}…` : line;
}
