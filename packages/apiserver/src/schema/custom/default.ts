/** Applies the defaults of a CRD's schema, and drops meaningless nulls. */

import { copyJson, isObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { propertyOf, type Schema } from '../open-api.ts';
import { changedElements, changedFields } from './changed-fields.ts';

const fieldSchema = (schema: Schema | undefined, key: string): Schema | undefined => {
  if (!schema) return undefined;
  const { additionalProperties } = schema;
  return propertyOf(schema, key) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
};

/** Drops a null that is neither nullable nor has a default. Applied to the client's input. */
export function withoutIdleNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (Array.isArray(value)) return changedElements(value, (element) => withoutIdleNulls(element, schema?.items));
  if (!isObject(value)) return value;
  return changedFields(value, (key, one) => {
    const field = fieldSchema(schema, key);
    const isIdle = one === null && field && !field.nullable && hasNoDefault(field);
    return isIdle ? undefined : withoutIdleNulls(one, field);
  });
}

const hasNoDefault = (schema: Schema): boolean => schema.default === undefined || schema.default === null;

/** Sets defaults of absent fields. A null that is not nullable counts as absent. */
export function withDefaults(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (!schema) return value;
  if (Array.isArray(value)) {
    return changedElements(value, (element) => withDefaults(orDefault(element, schema.items), schema.items));
  }
  if (!isObject(value)) return value;
  const made = changedFields(value, (key, one) => {
    const field = fieldSchema(schema, key);
    return withDefaults(orDefault(one, field), field);
  });
  const missing = Object.entries(schema.properties ?? {}).filter(
    ([key, property]) => !hasNoDefault(property) && !Object.hasOwn(made, key),
  );
  if (missing.length === 0) return made;
  const completed = { ...made };
  for (const [key, property] of missing) {
    setField(completed, key, withDefaults(copyJson(property.default!), property));
  }
  return completed;
}

const orDefault = (value: JsonValue, schema: Schema | undefined): JsonValue =>
  value === null && schema && !schema.nullable ? copyJson(schema.default ?? null) : value;
