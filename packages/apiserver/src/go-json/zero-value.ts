/** The values that Go writes for fields that were not set. */

import { type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { Field, MessageType } from '@fleet/kube/protobuf/schema.ts';
import { isInlined } from './struct-fields.ts';

/** Undefined if the field is omitted. */
export function zeroOf({ type, holds, omit }: Field): JsonValue | undefined {
  if (omit !== 'never') return undefined;
  if (holds !== 'one') return null;
  if (typeof type !== 'string') return zeroMessage(type);
  switch (type) {
    case 's':
      return '';
    case 'b':
      return false;
    case 'y':
      return null;
    default:
      return 0;
  }
}

function zeroMessage(type: MessageType): JsonValue {
  switch (type.form) {
    case 'object':
      return zeroObject(type);
    case 'quantity':
      return '0';
    case 'intOrString':
      return 0;
    case 'schemaOrBool':
      return false;
    default:
      return null;
  }
}

/** The zero value of a struct. */
export function zeroObject(type: MessageType): JsonObject {
  const object: JsonObject = {};
  writeZeros(type, object);
  return object;
}

function writeZeros(type: MessageType, object: JsonObject): void {
  for (const field of type.fields) {
    if (isInlined(field)) writeZeros(field.type, object);
    else {
      const value = zeroOf(field);
      if (value !== undefined) setField(object, field.jsonName, value);
    }
  }
}
