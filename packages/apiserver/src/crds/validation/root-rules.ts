/** Validates the root of a schema with a status subresource. */

import { type FieldError, forbiddenField, invalidValue } from '../../errors/field-error.ts';
import type { Schema } from '../../schema/open-api.ts';
import { shownSchema } from './shown-schema.ts';

/** The allowed fields of Go's struct, with their JSON names. */
const allowed: { [field: string]: string } = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
};

export function rootErrors(schema: Schema, hasStatus: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus) {
    const odd = Object.entries(schema).find(([name, value]) => !isEmpty(value) && !Object.hasOwn(allowed, name));
    if (schema.type && schema.type !== 'object') {
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      errors.push(invalidValue(`${path}.type`, schema.type, why));
    } else if (odd) {
      const names = Object.values(allowed).join(' ');
      const why = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalidValue(path, shownSchema(schema), why));
    }
  }
  if (schema.nullable) errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  return errors;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === false || value === '';
