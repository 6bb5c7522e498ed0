/** Drops nulls of a patch where there is no value to remove. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** In objects at any depth, inside lists, too; a null in a list is an element and is kept. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, one] of Object.entries(value)) if (one !== null) setField(kept, key, withoutNulls(one));
  return kept;
}
