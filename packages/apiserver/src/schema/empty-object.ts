/** What Go makes of nothing: a struct has all its structs and plain values, however empty. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import type { Definitions, Schema } from './open-api.ts';

/** Of a built-in kind. Structs within structs have a default in their schema, as pointers have none. */
export function emptyObject(schema: Schema, definitions: Definitions): JsonObject {
  const object: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = emptyValue(property, schema.required?.includes(name) ?? false, definitions);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

function emptyValue(property: Schema, isRequired: boolean, definitions: Definitions): JsonValue | undefined {
  const type = property.$ref ? definitions(property.$ref) : property;
  if (property.default !== undefined && type?.properties) return emptyObject(type, definitions);
  if (property.default !== undefined) return typeof property.default === 'object' ? null : property.default;
  // Lists, maps and pointers that are always written are null.
  return isRequired ? null : undefined;
}
