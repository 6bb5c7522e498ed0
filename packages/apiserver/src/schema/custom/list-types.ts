/** Validates that lists of type set or map have no duplicates. */

import { fieldOf, isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { propertyOf, type Schema } from '../open-api.ts';

export function checkListTypes(value: JsonValue, schema: Schema | undefined, path: string): FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value)) {
    const below = value.flatMap((element, index) => checkListTypes(element, schema.items, `${path}[${index}]`));
    return [...duplicatesIn(value, schema, path), ...below];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const property = propertyOf(schema, key);
    if (property) return checkListTypes(one, property, path ? `${path}.${key}` : key);
    const { additionalProperties } = schema;
    return typeof additionalProperties === 'object' ? checkListTypes(one, additionalProperties, `${path}[${key}]`) : [];
  });
}

function duplicatesIn(list: JsonValue[], schema: Schema, path: string): FieldError[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return duplicates(list, path);
    case 'map': {
      const odd = list.findIndex((one) => one !== null && !isObject(one));
      if (odd >= 0) {
        const detail = 'must be an object for an array of list-type map';
        return [{ type: 'FieldValueInvalid', field: `${path}[${odd}]`, value: list[odd], detail }];
      }
      const names = schema['x-kubernetes-list-map-keys'] ?? [];
      return duplicates(
        list.map((one) => keysOf(isObject(one) ? one : {}, names)),
        path,
      );
    }
    default:
      return [];
  }
}

function keysOf(element: JsonObject, names: readonly string[]): JsonObject {
  const present = names.filter((name) => fieldOf(element, name) !== undefined);
  return Object.fromEntries(present.map((name) => [name, element[name]!]));
}

/** Each duplicate is reported once, at its second position. */
function duplicates(list: readonly JsonValue[], path: string): FieldError[] {
  const counts = new Map<string, number>();
  return list.flatMap((one, index) => {
    const text = jsonText(one);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 2 ? [{ type: 'FieldValueDuplicate' as const, field: `${path}[${index}]`, value: one }] : [];
  });
}
