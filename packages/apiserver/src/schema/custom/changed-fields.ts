/** Maps the fields or elements of a value; returns the same value if nothing changes, so that identity comparison works. */

import { type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** Undefined removes a field. */
export function changedFields(
  object: JsonObject,
  change: (key: string, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  const keys = Object.keys(object);
  let made: JsonObject | undefined;
  for (const [index, key] of keys.entries()) {
    const next = change(key, object[key]!);
    if (!made && next === object[key]) continue;
    made ??= firstOf(object, keys, index);
    if (next !== undefined) setField(made, key, next);
  }
  return made ?? object;
}

function firstOf(object: JsonObject, keys: readonly string[], count: number): JsonObject {
  const first: JsonObject = {};
  for (let index = 0; index < count; index += 1) setField(first, keys[index]!, object[keys[index]!]!);
  return first;
}

export function changedElements(
  list: JsonValue[],
  change: (element: JsonValue, index: number) => JsonValue,
): JsonValue[] {
  const made = list.map(change);
  return made.every((one, index) => one === list[index]) ? list : made;
}
