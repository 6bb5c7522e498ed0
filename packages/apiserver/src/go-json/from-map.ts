/** Converts a map to a typed object as Go does (apimachinery's `runtime/converter.go`), the last step of a strategic merge and an apply. */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { Field, MessageType } from '@fleet/kube/protobuf/schema.ts';
import { goBytes } from './go-bytes.ts';
import { GoFault } from './go-fault.ts';
import { readIntOrString, readQuantity, readTime } from './own-forms.ts';
import { isInlined } from './struct-fields.ts';

/**
 * The map with numbers of the width of their fields. Throws a GoFault for the first invalid value in the order of the type's
 * fields. Unknown fields are kept.
 */
export function fromMap(type: MessageType, json: JsonObject): JsonObject {
  const made = { ...json };
  convertFields(type, made);
  return made;
}

const nowhere = { struct: '', fields: [] };

function convertFields(type: MessageType, json: JsonObject): void {
  for (const field of type.fields) {
    if (isInlined(field)) convertFields(field.type, json);
    else if (Object.hasOwn(json, field.jsonName)) {
      setField(json, field.jsonName, fieldFrom(field, json[field.jsonName]!));
    }
  }
}

function fieldFrom(field: Field, value: JsonValue): JsonValue {
  if (value === null) return value;
  switch (field.holds) {
    case 'list':
      if (!Array.isArray(value)) throw new GoFault(`cannot restore slice from ${kindOf(value)}`);
      return value.map((one) => valueFrom(field, one));
    case 'map': {
      if (!isObject(value)) throw new GoFault(`cannot restore map from ${kindOf(value)}`);
      const map: JsonObject = {};
      for (const [key, one] of Object.entries(value)) setField(map, key, valueFrom(field, one));
      return map;
    }
    default:
      return valueFrom(field, value);
  }
}

/** The value of a field, or of one of its elements. */
function valueFrom({ type, goType, holds }: Field, value: JsonValue): JsonValue {
  if (value === null) return value;
  if (typeof type !== 'string') return messageFrom(type, value);
  const expected = holds === 'list' || holds === 'map' ? goType.replace(/^(\[\]|map\[[^\]]*\])/, '') : goType;
  switch (type) {
    case 's':
      if (typeof value === 'string') return value;
      throw kindOf(value) === 'int64' ? noConversion(value, expected) : unrecognised('string');
    case 'b':
      if (typeof value === 'boolean') return value;
      throw unrecognised('bool');
    case 'd':
      if (isNumber(value)) return value;
      throw unrecognised('float64');
    case 'i':
    case 'l':
      if (!isNumber(value)) throw unrecognised(type === 'i' ? 'int32' : 'int64');
      if (!isInteger(value)) throw noConversion(value, expected);
      return cut(value, type === 'i' ? 32 : 64);
    case 'y':
      return bytesFrom(value);
    default:
      return type satisfies never;
  }
}

function messageFrom(type: MessageType, value: JsonValue): JsonValue {
  switch (type.form) {
    case 'object':
      if (!isObject(value)) throw new GoFault(`cannot restore struct from: ${kindOf(value)}`);
      return fromMap(type, value);
    case 'time':
    case 'microTime':
      return readTime(value, type.form, nowhere);
    case 'quantity':
      return readQuantity(value);
    case 'intOrString':
      return readIntOrString(value, nowhere);
    case 'list':
      if (!Array.isArray(value)) throw new GoFault(`cannot restore slice from ${kindOf(value)}`);
      return value.map((one) => valueFrom(type.fields[0]!, one));
    // Types with their own decoder report errors when they are decoded.
    case 'raw':
    case 'rawExtension':
    case 'schemaOrBool':
    case 'schemaOrArray':
    case 'schemaOrStrings':
      return value;
    default:
      return type.form satisfies never;
  }
}

function bytesFrom(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    try {
      return goBytes(value);
    } catch (fault) {
      throw fault instanceof GoFault ? new GoFault(`error decoding from json: ${fault.message}`) : fault;
    }
  }
  if (!Array.isArray(value)) throw new GoFault(`cannot restore slice from ${kindOf(value)}`);
  return value.map((one) => {
    if (one === null) return 0;
    if (!isNumber(one)) throw unrecognised('uint8');
    if (!isInteger(one)) throw noConversion(one, 'uint8');
    return Number(BigInt.asUintN(8, BigInt(one)));
  });
}

/** Go truncates to the field's bits; a float beyond 64-bit integers first becomes the smallest one. */
function cut(value: number | bigint, bits: 32 | 64): JsonValue {
  const exact = BigInt(value);
  const whole = BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n);
  const made = BigInt.asIntN(bits, whole);
  return Number.isSafeInteger(Number(made)) ? Number(made) : made;
}

const isNumber = (value: JsonValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const isInteger = (value: JsonValue): boolean => typeof value === 'bigint' || Number.isInteger(value);

const noConversion = (value: JsonValue, expected: string): GoFault =>
  new GoFault(`cannot convert ${kindOf(value)} to ${expected}`);

const unrecognised = (kind: string): GoFault => new GoFault(`unrecognized type: ${kind}`);

/** Go's name for the type that JSON is decoded to. */
function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  if (isObject(value)) return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int64' : 'float64';
}
