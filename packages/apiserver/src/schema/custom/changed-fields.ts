/** Fields and elements of a value as something makes them; the value itself where that changes nothing, so that it is known again. */

import { type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** Undefined leaves a field out. */
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
