/** Definitions on the main thread, without long schemas, which worker threads process (LIMIT-3). */

import { isArray, isObject, type Span, skipValue, spanIs } from '@fleet/kube/json-bytes.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LargeText } from '../registry/large-text.ts';
import { readInSlices } from '../registry/read-in-slices.ts';
import { prose } from '../schema/size.ts';
import { longestProse, longestSchema, type VersionSchema } from './definition.ts';

const placeholder = Buffer.from(JSON.stringify({ isOnThread: true } satisfies VersionSchema));

export async function readDefinition(value: Uint8Array): Promise<KubeObject> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length <= longestSchema) return readInSlices(bytes);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end } of longSchemas(await LargeText.walked(bytes))) {
    pieces.push(bytes.subarray(at, start), placeholder);
    at = end;
  }
  return readInSlices(Buffer.concat([...pieces, bytes.subarray(at)]));
}

/** The spans of `spec.versions[].schema`. */
function longSchemas(text: LargeText): Span[] {
  const found: Span[] = [];
  member(text, 0, 'spec', (spec) =>
    member(text, spec.start, 'versions', (versions) => {
      if (!isArray(text.bytes, versions.start)) return;
      text.eachElement(versions.start, (version) =>
        member(text, version.start, 'schema', (schema) => {
          if (isLong(text.bytes, schema)) found.push(schema);
        }),
      );
    }),
  );
  return found;
}

const proseKeys = prose.map((key) => `"${key}":"`);

function isLong(bytes: Buffer, { start, end }: Span): boolean {
  const length = end - start;
  if (length <= longestSchema || length > longestProse) return length > longestSchema;
  const schema = bytes.subarray(start, end);
  return proseKeys.reduce((left, key) => left - proseOf(schema, key), length) > longestSchema;
}

/** How many bytes follow a key. Quotes within strings are escaped, so that every match is a key. */
function proseOf(schema: Buffer, key: string): number {
  let sum = 0;
  for (let at = schema.indexOf(key); at >= 0; ) {
    const end = skipValue(schema, at + key.length - 1);
    sum += end - at;
    at = schema.indexOf(key, end);
  }
  return sum;
}

/** Visits a member of a value that may be an object. */
function member(text: LargeText, at: number, name: string, visit: (value: Span) => void): void {
  if (!isObject(text.bytes, at)) return;
  text.eachMember(at, (key, value) => {
    if (spanIs(text.bytes, key, name)) visit(value);
  });
}
