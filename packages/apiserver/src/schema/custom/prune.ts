/** Prunes fields that a CRD's schema does not have. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { propertyOf, type Schema } from '../open-api.ts';
import { changedElements, changedFields } from './changed-fields.ts';

export interface Pruned<Value extends JsonValue = JsonValue> {
  value: Value;
  /** Paths of the pruned fields, in order. */
  unknown: string[];
}

/** The fields of every object, whatever its schema. */
const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/** A custom resource without unknown fields. The argument is not changed. */
export function pruneObject(object: JsonObject, schema: Schema): Pruned<JsonObject> {
  const unknown: string[] = [];
  const value = pruned(object, { ...schema, 'x-kubernetes-embedded-resource': true }, '', unknown);
  return { value: value as JsonObject, unknown: unknown.sort() };
}

/** For a value inside an object, such as a default. */
export const pruneValue = (value: JsonValue, schema: Schema): JsonValue => pruned(value, schema, '?', []);

function pruned(value: JsonValue, schema: Schema | undefined, path: string, unknown: string[]): JsonValue {
  if (Array.isArray(value)) {
    return changedElements(value, (one, index) => pruned(one, itemsOf(schema), `${path}[${index}]`, unknown));
  }
  if (!isObject(value)) return value;
  return changedFields(value, (key, one) => {
    const here = path ? `${path}.${key}` : key;
    const below = fieldSchema(schema, key);
    if (below) return below === 'anything' ? one : pruned(one, below, here, unknown);
    // At the root these fields are handled by other code.
    if (path || !metaFields.has(key)) unknown.push(here);
    return undefined;
  });
}

/** Where unknown fields are preserved, this holds at any depth without a schema. */
const preserving: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

function itemsOf(schema: Schema | undefined): Schema | undefined {
  if (!schema?.['x-kubernetes-preserve-unknown-fields']) return schema?.items;
  return schema.items ? { ...schema.items, ...preserving } : preserving;
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | 'anything' | undefined {
  if (!schema) return undefined;
  if (schema['x-kubernetes-embedded-resource'] && metaFields.has(key)) return 'anything';
  const property = propertyOf(schema, key);
  if (property) return property;
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties;
  if (schema['x-kubernetes-preserve-unknown-fields']) return 'anything';
  // `additionalProperties: true` keeps the field, but no objects inside of it.
  return schema.additionalProperties ? {} : undefined;
}
