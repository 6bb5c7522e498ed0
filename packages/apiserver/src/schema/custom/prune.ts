/** Fields that a CRD does not describe are not kept. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { propertyOf, type Schema } from '../open-api.ts';
import { changedElements, changedFields } from './changed-fields.ts';

export interface Pruned<Value extends JsonValue = JsonValue> {
  value: Value;
  /** Paths of what is gone, in order. */
  unknown: string[];
}

/** Of every object, whatever its schema says. */
const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/** A custom resource without what its schema does not have. The argument is not changed. */
export function pruneObject(object: JsonObject, schema: Schema): Pruned<JsonObject> {
  const unknown: string[] = [];
  const value = pruned(object, { ...schema, 'x-kubernetes-embedded-resource': true }, '', unknown);
  return { value: value as JsonObject, unknown: unknown.sort() };
}

/** A value that is no object of its own, such as a default. */
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
    // At the root they are looked after elsewhere.
    if (path || !metaFields.has(key)) unknown.push(here);
    return undefined;
  });
}

/** Where unknown fields are kept, they are kept at any depth that the schema does not describe. */
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
  // `additionalProperties: true` keeps the field, and nothing in it that is an object.
  return schema.additionalProperties ? {} : undefined;
}
