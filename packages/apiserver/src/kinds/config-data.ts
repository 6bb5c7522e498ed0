/** Validates the data of ConfigMaps and Secrets (Kubernetes' `core/validation`). */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, forbiddenField, invalidValue, tooLong } from '../errors/field-error.ts';
import type { KubeObject } from '../registry/kube-object.ts';

const keyPattern = '[-._a-zA-Z0-9]+';
const isKey = /^[-._a-zA-Z0-9]+$/;
const keyRule = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${keyPattern}')`;
const mostBytes = 1024 * 1024;

export const dataErrors = (field: string, data: unknown, binaryKeys: readonly string[] = []): FieldError[] =>
  Object.keys(data ?? {}).flatMap((key) => {
    const faults = [...keyFaults(key), ...(binaryKeys.includes(key) ? ['duplicate of key present in binaryData'] : [])];
    return faults.map((fault) => invalidValue(`${field}[${key}]`, key, fault));
  });

export function keyFaults(key: string): string[] {
  const faults = key.length > 253 ? ['must be no more than 253 characters'] : [];
  if (!isKey.test(key)) faults.push(keyRule);
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults;
}

export function sizeErrors(field: string, data: unknown, binaryData?: unknown): FieldError[] {
  const texts = Object.values(data ?? {}).map((value) => Buffer.byteLength(String(value)));
  const binaries = Object.values(binaryData ?? {}).map((value) => Buffer.byteLength(String(value), 'base64'));
  const size = [...texts, ...binaries].reduce((sum, one) => sum + one, 0);
  return size > mostBytes ? [tooLong(field, mostBytes)] : [];
}

/** If immutable, neither that field nor the data can change. */
export function immutabilityErrors(object: KubeObject, old: KubeObject, fields: readonly string[]): FieldError[] {
  if (old['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [forbiddenField('immutable', why)]),
    ...fields
      .filter((field) => !isDeepStrictEqual(object[field] ?? {}, old[field] ?? {}))
      .map((field) => forbiddenField(field, why)),
  ];
}
