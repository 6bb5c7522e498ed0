/** Converts an object to the form in which kube-apiserver reads it back from its store: protobuf has no empty lists. */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Field, MessageType } from '@fleet/kube/protobuf/schema.ts';
import { isInlined } from './struct-fields.ts';

/** For an object decoded as this type. Returns the object itself if nothing in it is empty. */
export function asKept(type: MessageType, object: JsonObject): JsonObject {
  let kept = object;
  for (const field of allFields(type)) {
    const value = Object.hasOwn(object, field.jsonName) ? object[field.jsonName]! : null;
    const made = keptValue(field, value);
    if (made !== value) kept = { ...kept, [field.jsonName]: made };
  }
  return kept;
}

const allFields = (type: MessageType): Field[] =>
  type.fields.flatMap((field) => (isInlined(field) ? allFields(field.type) : [field]));

function keptValue({ type, holds }: Field, value: JsonValue): JsonValue {
  if (value === null) return null;
  const message = typeof type === 'object' && type.form === 'object' ? type : undefined;
  const inside = (one: JsonValue): JsonValue => (message && isObject(one) ? asKept(message, one) : one);
  if (holds === 'list' && Array.isArray(value)) return value.length === 0 ? null : changed(value, inside);
  if (holds === 'map' && type === 'y' && isObject(value)) return withoutNil(value);
  if (typeof type === 'object' && type.form === 'list' && Array.isArray(value))
    return value.length === 0 ? null : value;
  return holds === 'one' || holds === 'pointer' ? inside(value) : value;
}

/** Absent bytes are empty there. */
function withoutNil(map: JsonObject): JsonObject {
  if (!Object.values(map).includes(null)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, one]) => [key, one ?? '']));
}

function changed(values: JsonValue[], change: (value: JsonValue) => JsonValue): JsonValue[] {
  const made = values.map(change);
  return made.some((one, index) => one !== values[index]) ? made : values;
}
