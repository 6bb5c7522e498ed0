/** Validates objects inside a custom resource (`x-kubernetes-embedded-resource`), which have kind and apiVersion. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { propertyOf, type Schema } from '../open-api.ts';

export function checkEmbedded(value: JsonValue, schema: Schema | undefined, path: string): FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => checkEmbedded(element, schema.items, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? checkKind(value, path) : [];
  const below = Object.entries(value).flatMap(([key, one]) => {
    const property = propertyOf(schema, key);
    if (property) return checkEmbedded(one, property, path ? `${path}.${key}` : key);
    const { additionalProperties } = schema;
    return typeof additionalProperties === 'object' ? checkEmbedded(one, additionalProperties, `${path}[${key}]`) : [];
  });
  return [...own, ...below];
}

function checkKind(object: JsonObject, path: string): FieldError[] {
  return ['apiVersion', 'kind'].flatMap((name) => {
    const field = `${path}.${name}`;
    if (!Object.hasOwn(object, name)) return [required(field)];
    const value = object[name]!;
    if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
    return value === '' ? [invalidValue(field, value, 'must not be empty')] : [];
  });
}
