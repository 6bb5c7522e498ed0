/** Validates a custom resource against its CRD's schema, with kube-apiserver's errors. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, notSupported, required, tooLong } from '../../errors/field-error.ts';
import type { Schema } from '../open-api.ts';
import { check, type Work } from './check.ts';
import { checkEmbedded } from './embedded.ts';
import { checkListTypes } from './list-types.ts';
import type { Finding } from './result.ts';

/** `old` is the object before an update: values that were invalid and are unchanged stay valid. */
export function validateCustom(object: JsonObject, schema: Schema, old?: JsonObject, work?: Work): FieldError[] {
  const listErrors = checkListTypes(object, schema, '');
  const wereThere = listErrors.length > 0 && old !== undefined && checkListTypes(old, schema, '').length > 0;
  return [
    ...check(object, schema, '', old, work).findings.map(errorOf),
    ...checkEmbedded(object, schema, ''),
    ...(wereThere ? [] : listErrors),
  ];
}

/** For a value inside a schema, such as a default; errors are about the given path. */
export function validateCustomValue(value: JsonValue, schema: Schema, path: string): FieldError[] {
  return check(value, schema, '')
    .findings.map(errorOf)
    .map((error) => ({ ...error, field: within(path, error.field) }));
}

const within = (path: string, field: string): string => (field === '<nil>' ? path : `${path}.${field}`);

const tooMany = (field: string, count: number, most: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: count,
  detail: `must have at most ${most} ${most === 1 ? 'item' : 'items'}`,
});

function errorOf(finding: Finding): FieldError {
  const field = finding.path.replace(/^\./, '') || '<nil>';
  switch (finding.what) {
    case 'required':
      return required(field);
    case 'enum':
      return notSupported(field, finding.value, finding.allowed.map(shown));
    case 'tooLong':
      return tooLong(field, finding.most);
    case 'tooMany':
      return tooMany(field, finding.count, finding.most);
    case 'type':
      return { type: 'FieldValueTypeInvalid', field, value: finding.value, detail: finding.message };
    case 'other':
      return { type: 'FieldValueInvalid', field, value: finding.value, detail: finding.message };
    case 'plain':
      return { type: 'FieldValueInvalid', field: '<nil>', value: '', detail: finding.message };
  }
}

const shown = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));
