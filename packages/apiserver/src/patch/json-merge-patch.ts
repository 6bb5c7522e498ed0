/** JSON merge patch (RFC 7386), with the deviations of kube-apiserver's library (evanphx/json-patch). */

import { fieldOf, isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import { withoutNulls } from './without-nulls.ts';

/** The patched object; neither argument is changed. */
export function mergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else setField(merged, key, mergeValue(fieldOf(merged, key), value));
  }
  return merged;
}

function mergeValue(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(current)) return withoutNulls(patch);
  // A value that replaces an object is copied unchanged, nulls inside a list included.
  return isObject(patch) ? mergePatch(current, patch) : patch;
}
