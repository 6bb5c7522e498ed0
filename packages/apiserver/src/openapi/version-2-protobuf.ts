/**
 * The types of OpenAPI 2 in the protobuf form that kubectl reads them in (gnostic's OpenAPIv2.proto). Without paths.
 *
 *   Document      1 swagger, 2 info { 1 title, 2 version }, 9 definitions { 1 NamedSchema… }
 *   NamedSchema   1 name, 2 Schema
 *   Schema        1 _ref, 2 format, 4 description, 19 required…, 21 additionalProperties { 1 Schema | 2 bool }, 22 type { 1 text }, 23 items
 *                 { 1 Schema }, 25 properties { 1 NamedSchema… }, 31 extensions { 1 name, 2 { 2 yaml } }…
 */

import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { lengthed } from '@fleet/kube/protobuf/encode.ts';

const text = (field: number, value: string): Buffer => lengthed(field, Buffer.from(value));
const message = (field: number, ...parts: readonly Buffer[]): Buffer => lengthed(field, Buffer.concat(parts));

export function version2Protobuf(
  { title, version }: { title: string; version: string },
  definitions: JsonObject,
): Buffer {
  return Buffer.concat([
    text(1, '2.0'),
    message(2, text(1, title), text(2, version)),
    message(9, ...named(definitions)),
  ]);
}

const named = (schemas: JsonObject): Buffer[] =>
  Object.entries(schemas).map(([name, schema]) =>
    message(1, text(1, name), message(2, ...parts(schema as JsonObject))),
  );

function parts(schema: JsonObject): Buffer[] {
  const { $ref, format, description, required = [], additionalProperties, type, items, properties } = schema;
  const described = typeof description === 'string' ? [text(4, description)] : [];
  if (typeof $ref === 'string') return [text(1, $ref), ...described];
  return [
    ...(typeof format === 'string' ? [text(2, format)] : []),
    ...described,
    ...(required as string[]).map((name) => text(19, name)),
    ...(additionalProperties === undefined ? [] : [message(21, additional(additionalProperties))]),
    ...(typeof type === 'string' ? [message(22, text(1, type))] : []),
    ...(isObject(items) ? [message(23, message(1, ...parts(items)))] : []),
    ...(isObject(properties) ? [message(25, ...named(properties))] : []),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith('x-'))
      // JSON is YAML.
      .map(([name, value]) => message(31, text(1, name), message(2, text(2, JSON.stringify(value))))),
  ];
}

const additional = (value: JsonValue): Buffer =>
  isObject(value) ? message(1, ...parts(value)) : Buffer.from([2 * 8, value ? 1 : 0]);
