/** Decodes types with a JSON decoder of their own: times, quantities, IntOrString, raw JSON. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { MessageType } from '@fleet/kube/protobuf/schema.ts';
import { formatQuantity, parseQuantity, QuantityError } from '@fleet/kube/quantity.ts';
import { cannotUnmarshal, GoFault, jsonWord, type Place } from './go-fault.ts';
import { goTime } from './go-time.ts';

export function readQuantity(value: JsonValue): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim();
  try {
    return formatQuantity(parseQuantity(text));
  } catch (cause) {
    if (!(cause instanceof QuantityError)) throw cause;
    const isSuffix = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?$/.test(text);
    throw new GoFault(
      isSuffix
        ? "unable to parse quantity's suffix"
        : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      { cause },
    );
  }
}

export function readTime(value: JsonValue, form: 'time' | 'microTime', place: Place): string {
  if (typeof value !== 'string') throw cannotUnmarshal(jsonWord(value), place, 'string');
  return goTime(value, form);
}

export function readIntOrString(value: JsonValue, place: Place): JsonValue {
  if (typeof value === 'string') return value;
  const isInt32 = typeof value === 'number' && Number.isInteger(value) && value === (value | 0);
  if (isInt32) return value;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  throw cannotUnmarshal(isNumber ? `number ${value}` : jsonWord(value), place, 'int32');
}

/** For unions of CRDs: a schema, or something shorter. Undefined if a schema is to be decoded. */
export function readInsteadOfSchema(value: JsonValue, { form }: MessageType): JsonValue | undefined {
  if (isObject(value)) return undefined;
  switch (form) {
    case 'schemaOrBool':
      if (typeof value === 'boolean') return value;
      throw new GoFault('boolean or JSON schema expected');
    default:
      return Array.isArray(value) ? value : undefined;
  }
}
