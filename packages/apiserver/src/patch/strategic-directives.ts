/** The directives of a strategic merge patch. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';

/** In an object or an element: `replace`, `delete`. */
export const directive = '$patch';
/** The only fields to keep. */
export const retainKeys = '$retainKeys';
/** The prefix before `/` and a field's name. */
export const deleteList = '$deleteFromPrimitiveList';
export const elementOrder = '$setElementOrder';

export const isDirective = (value: JsonValue): boolean => isObject(value) && Object.hasOwn(value, directive);

/** Undefined for an object that is only a directive, as there is nothing to apply it to. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((one) => one !== undefined);
  if (!isObject(value)) return value;
  if (isDirective(value)) return undefined;
  const kept: JsonObject = {};
  for (const [key, one] of Object.entries(value)) setOrDrop(kept, key, withoutDirectives(one));
  return kept;
}

export function setOrDrop(object: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[key];
  else setField(object, key, value);
}
