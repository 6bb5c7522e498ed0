/** What a patch puts where nothing is: there is nothing that a null could remove. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** Of objects at any depth, inside lists, too; a null in a list is an element and stays. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, one] of Object.entries(value)) if (one !== null) setField(kept, key, withoutNulls(one));
  return kept;
}
