/**
 * Encodes the types of OpenAPI 2 in the protobuf form that kubectl parses (gnostic's OpenAPIv2.proto). Without paths.
 *
 *   Document      1 swagger, 2 info { 1 title, 2 version }, 9 definitions { 1 NamedSchema… }
 *   NamedSchema   1 name, 2 Schema
 *   Schema        1 _ref, 2 format, 4 description, 19 required…, 21 additionalProperties { 1 Schema | 2 bool }, 22 type { 1 text }, 23 items
 *                 { 1 Schema }, 25 properties { 1 NamedSchema… }, 31 extensions { 1 name, 2 { 2 yaml } }…
 */

import type { Pace } from '@fleet/client/pace.ts';
import { isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { lengthed, lengthedParts } from '@fleet/kube/protobuf/encode.ts';
import { isLargerThan } from '../schema/size.ts';

const text = (field: number, value: string): Buffer => lengthed(field, Buffer.from(value));
const message = (field: number, parts: readonly Buffer[]): Buffer => lengthed(field, Buffer.concat(parts));

/** In bytes: larger schemas are encoded in slices (LIMIT-3). */
const atOnce = 16 * 1024;

export async function version2Protobuf(
  { title, version }: { title: string; version: string },
  definitions: ReadonlyMap<string, JsonObject | Buffer>,
  pace: Pace,
): Promise<Buffer> {
  const types = await named(definitions, pace);
  await pace.rest();
  return Buffer.concat([text(1, '2.0'), message(2, [text(1, title), text(2, version)]), ...lengthedParts(9, types)]);
}

/** One schema, without its name. */
export const schemaProtobuf = async (schema: JsonObject, pace: Pace): Promise<Buffer> =>
  Buffer.concat(await parts(schema, pace));

async function named(schemas: Iterable<[string, JsonValue | Buffer]>, pace: Pace): Promise<Buffer[]> {
  const written: Buffer[] = [];
  for (const [name, schema] of schemas) {
    if (pace.isDue) await pace.rest();
    if (Buffer.isBuffer(schema)) written.push(...lengthedParts(1, [text(1, name), ...lengthedParts(2, [schema])]));
    else written.push(oneNamed(name, await parts(schema as JsonObject, pace)));
  }
  return written;
}

const oneNamed = (name: string, schema: readonly Buffer[]): Buffer => message(1, [text(1, name), message(2, schema)]);

async function parts(schema: JsonObject, pace: Pace): Promise<Buffer[]> {
  const { $ref, items, properties } = schema;
  if ($ref !== undefined || !isLargerThan(schema, atOnce)) return partsAtOnce(schema);
  return [
    ...ownParts(schema),
    ...(isObject(items) ? [message(23, [message(1, await parts(items, pace))])] : []),
    ...(isObject(properties) ? [message(25, await named(Object.entries(properties), pace))] : []),
  ];
}

const descriptionIn = ({ description }: JsonObject): Buffer[] =>
  typeof description === 'string' ? [text(4, description)] : [];

function partsAtOnce(schema: JsonObject): Buffer[] {
  const { $ref, items, properties } = schema;
  if (typeof $ref === 'string') return [text(1, $ref), ...descriptionIn(schema)];
  const fields = isObject(properties) ? Object.entries(properties) : undefined;
  return [
    ...ownParts(schema),
    ...(isObject(items) ? [message(23, [message(1, partsAtOnce(items))])] : []),
    ...(fields
      ? [
          message(
            25,
            fields.map(([name, one]) => oneNamed(name, partsAtOnce(one as JsonObject))),
          ),
        ]
      : []),
  ];
}

/** All parts that are not large. In protobuf the order of fields does not matter. */
function ownParts(schema: JsonObject): Buffer[] {
  const { format, required = [], additionalProperties, type } = schema;
  return [
    ...(typeof format === 'string' ? [text(2, format)] : []),
    ...descriptionIn(schema),
    ...(required as string[]).map((name) => text(19, name)),
    ...(additionalProperties === undefined ? [] : [message(21, [additional(additionalProperties)])]),
    ...(typeof type === 'string' ? [message(22, [text(1, type)])] : []),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith('x-'))
      // JSON is YAML.
      .map(([name, value]) => message(31, [text(1, name), message(2, [text(2, JSON.stringify(value))])])),
  ];
}

const additional = (value: JsonValue): Buffer =>
  isObject(value) ? message(1, partsAtOnce(value)) : Buffer.from([2 * 8, value ? 1 : 0]);
