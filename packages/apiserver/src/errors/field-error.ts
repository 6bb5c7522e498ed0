/** Errors about one field of an object, with kube-apiserver's texts (apimachinery `validation/field`). */

import { type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import type { StatusCause } from '@fleet/kube/status.ts';
import { goNumber } from './go-number.ts';
import { quoted } from './quoted.ts';

const titles = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
} as const;

export interface FieldError {
  type: keyof typeof titles;
  /** For example `metadata.labels`; `<nil>` for the whole object. */
  field: string;
  /** Omitted for types of errors that do not print it. */
  value?: unknown;
  /** A value of a named string type, which Go prints as JSON. */
  isNamedText?: boolean;
  detail?: string;
}

export const required = (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail });

export const forbiddenField = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  detail,
});

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  value,
  detail,
});

export const invalidNamedText = (field: string, value: unknown, detail: string): FieldError => ({
  ...invalidValue(field, value, detail),
  isNamedText: true,
});

export const notFoundValue = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueNotFound',
  field,
  value,
});

/** `isNamedText`: of a named string type, which Go prints as JSON. */
export const duplicate = (field: string, value: unknown, isNamedText = false): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  value,
  ...(isNamedText ? { isNamedText } : {}),
});

export const tooLong = (field: string, limit: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  detail: `may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`,
});

export const duplicateValue = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  value,
});

export const tooMany = (field: string, actual: number, limit: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: actual,
  detail: `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
});

/** For a value that is too large to be printed. */
export const invalidWithout = (field: string, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  detail,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  value,
  detail: `supported values: ${supported.map(quoted).join(', ')}`,
});

/** The text without the field's name. */
export function bodyOf({ type, value, isNamedText = false, detail }: FieldError): string {
  const title = value === undefined ? titles[type] : `${titles[type]}: ${shown(value, isNamedText)}`;
  return detail ? `${title}: ${detail}` : title;
}

function shown(value: unknown, isNamedText: boolean): string {
  if (typeof value === 'string' && !isNamedText) return quoted(value);
  return typeof value === 'number' ? goNumber(value) : goJson(value as JsonValue);
}

/** Go escapes characters that are special in HTML. */
const goJson = (value: JsonValue): string =>
  jsonText(value).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const causeOf = (error: FieldError): StatusCause => ({
  reason: error.type,
  message: bodyOf(error),
  field: error.field,
});

/** Several errors as one text without duplicates, as in Go's aggregate. */
export function textOf(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${bodyOf(error)}`))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}
