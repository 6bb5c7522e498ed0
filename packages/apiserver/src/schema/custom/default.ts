/** Defaults of a CRD's schema, and nulls that mean nothing. */

import { copyJson, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { propertyOf, type Schema } from '../open-api.ts';

const fieldSchema = (schema: Schema | undefined, key: string): Schema | undefined => {
  if (!schema) return undefined;
  const { additionalProperties } = schema;
  return propertyOf(schema, key) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
};

/** Null where the schema allows none and has no default is as good as nothing. What is sent goes through this. */
export function withoutIdleNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((element) => withoutIdleNulls(element, schema?.items));
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const field = fieldSchema(schema, key);
    const isIdle = one === null && field && !field.nullable && hasNoDefault(field);
    if (!isIdle) setField(kept, key, withoutIdleNulls(one, field));
  }
  return kept;
}

const hasNoDefault = (schema: Schema): boolean => schema.default === undefined || schema.default === null;

/** With what is not there and has a default. Null counts as not there, if it may not stand there. */
export function withDefaults(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (!schema) return value;
  if (Array.isArray(value)) return value.map((element) => withDefaults(orDefault(element, schema.items), schema.items));
  if (!isObject(value)) return value;
  const made: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const field = fieldSchema(schema, key);
    setField(made, key, withDefaults(orDefault(one, field), field));
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(made, key) || hasNoDefault(property)) continue;
    setField(made, key, withDefaults(copyJson(property.default!), property));
  }
  return made;
}

const orDefault = (value: JsonValue, schema: Schema | undefined): JsonValue =>
  value === null && schema && !schema.nullable ? copyJson(schema.default ?? null) : value;
