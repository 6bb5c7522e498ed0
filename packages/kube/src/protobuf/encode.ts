/**
 * Encodes JSON of a built-in kind as Kubernetes' protobuf, byte for byte as Go's generated code does: fields in the order of their
 * numbers, empty strings and zeros too, unless the field is a pointer, a list or a map.
 */

import type { JsonObject, JsonValue } from '../json-value.ts';
import { type Field, kindType, type MessageType } from './schema.ts';

const magic = Buffer.from('k8s\0');

/** Undefined for a kind that has no protobuf form. */
export function protobufOfJson(object: JsonObject): Buffer | undefined {
  // Some discovery documents have no version.
  const { apiVersion = '', kind } = object as { apiVersion?: string; kind: string };
  const type = kindType(apiVersion, kind);
  if (!type) return undefined;
  const typeMeta = Buffer.concat([lengthed(1, Buffer.from(apiVersion)), lengthed(2, Buffer.from(kind))]);
  const raw = Buffer.concat(message(type, object));
  return Buffer.concat([magic, lengthed(1, typeMeta), lengthed(2, raw), lengthed(3, empty), lengthed(4, empty)]);
}

const empty = Buffer.alloc(0);

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  if (typeof value === 'number' && value >= 0 && value < 2 ** 31) {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    return Buffer.from([...bytes, rest]);
  }
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A string or a message, with its length. */
export const lengthed = (number: number, bytes: Buffer): Buffer => Buffer.concat(lengthedParts(number, [bytes]));

/** The same in parts that are not joined yet, as they are many or large. */
export const lengthedParts = (number: number, parts: readonly Buffer[]): Buffer[] => [
  varint(number * 8 + 2),
  varint(parts.reduce((sum, { length }) => sum + length, 0)),
  ...parts,
];

const numbered = (number: number, value: number | bigint): Buffer => Buffer.concat([varint(number * 8), varint(value)]);

const ordered = new WeakMap<MessageType, readonly Field[]>();

function inOrder(type: MessageType): readonly Field[] {
  let fields = ordered.get(type);
  if (!fields) {
    fields = type.fields.toSorted((left, right) => left.number - right.number);
    ordered.set(type, fields);
  }
  return fields;
}

function message(type: MessageType, value: JsonValue | undefined): Buffer[] {
  switch (type.form) {
    case 'object':
      return inOrder(type).flatMap((field) => {
        const object = (value ?? {}) as JsonObject;
        // The fields of an inlined message are a message of their own in protobuf.
        return fieldBytes(field, field.jsonName === '' ? object : object[field.jsonName]);
      });
    case 'time':
    case 'microTime':
      return typeof value === 'string' ? time(value, type.form) : [];
    case 'quantity':
      return [lengthed(1, Buffer.from(String(value ?? '0')))];
    case 'intOrString':
      return typeof value === 'string'
        ? [numbered(1, 1), numbered(2, 0), lengthed(3, Buffer.from(value))]
        : [numbered(1, 0), numbered(2, Number(value ?? 0)), lengthed(3, empty)];
    case 'raw':
    case 'rawExtension':
      return value === undefined || value === null ? [] : [lengthed(1, Buffer.from(JSON.stringify(value)))];
    case 'list':
      return ((value ?? []) as JsonValue[]).map((one) => lengthed(1, Buffer.from(String(one))));
    default:
      return standIn(type, value);
  }
}

/** A union such as JSONSchemaPropsOrBool: the field that fits is the one that is set. */
function standIn(type: MessageType, value: JsonValue | undefined): Buffer[] {
  const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value);
  return inOrder(type).flatMap((field) => {
    const isMessage = typeof field.type !== 'string' && field.holds === 'pointer';
    if (field.type === 'b') return fieldBytes(field, value === true || isSchema);
    return isMessage === isSchema ? fieldBytes(field, value) : [];
  });
}

function time(text: string, form: 'time' | 'microTime'): Buffer[] {
  const seconds = Math.floor(Date.parse(text.replace(/\.\d+/, '')) / 1_000);
  const micros = form === 'microTime' ? Number((/\.(\d{6})/.exec(text) ?? [])[1] ?? 0) : 0;
  return [numbered(1, seconds), numbered(2, micros * 1_000)];
}

function fieldBytes(field: Field, value: JsonValue | undefined): Buffer[] {
  const isMissing = value === undefined || value === null;
  switch (field.holds) {
    case 'list':
      return isMissing ? [] : (value as JsonValue[]).map((one) => single(field, one));
    case 'map':
      return isMissing ? [] : entries(field, value as JsonObject);
    case 'pointer':
      return isMissing ? [] : [single(field, value)];
    default: {
      const isNil = field.type === 'y' || (typeof field.type !== 'string' && field.type.form === 'list');
      return isMissing && isNil ? [] : [single(field, value)];
    }
  }
}

/** In the order of their keys' bytes. */
const entries = (field: Field, map: JsonObject): Buffer[] =>
  Object.keys(map)
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map((key) => {
      const entry = Buffer.concat([lengthed(1, Buffer.from(key)), single({ ...field, number: 2 }, map[key])]);
      return lengthed(field.number, entry);
    });

function single({ number, type }: Field, value: JsonValue | undefined): Buffer {
  switch (type) {
    case 's':
      return lengthed(number, Buffer.from(String(value ?? '')));
    case 'y':
      return lengthed(number, Buffer.from(String(value ?? ''), 'base64'));
    case 'b':
      return numbered(number, value ? 1 : 0);
    case 'i':
    case 'l':
      return numbered(number, (value ?? 0) as number | bigint);
    case 'd': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value ?? 0));
      return Buffer.concat([varint(number * 8 + 1), bytes]);
    }
    default:
      return lengthed(number, Buffer.concat(message(type, value)));
  }
}
