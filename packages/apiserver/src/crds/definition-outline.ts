/** Definitions as the main thread keeps them: without schemas that are long, what needs which is done on threads (LIMIT-3). */

import { isArray, isObject, type Span, spanIs } from '@fleet/kube/json-bytes.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LargeText } from '../registry/large-text.ts';
import { readInSlices } from '../registry/read-in-slices.ts';
import { longestSchema, type VersionSchema } from './definition.ts';

const elsewhere = Buffer.from(JSON.stringify({ isElsewhere: true } satisfies VersionSchema));

export async function readDefinition(value: Uint8Array): Promise<KubeObject> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length <= longestSchema) return readInSlices(bytes);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end } of longSchemas(await LargeText.walked(bytes))) {
    pieces.push(bytes.subarray(at, start), elsewhere);
    at = end;
  }
  return readInSlices(Buffer.concat([...pieces, bytes.subarray(at)]));
}

/** Where they stand: `spec.versions[].schema`. */
function longSchemas(text: LargeText): Span[] {
  const found: Span[] = [];
  member(text, 0, 'spec', (spec) =>
    member(text, spec.start, 'versions', (versions) => {
      if (!isArray(text.bytes, versions.start)) return;
      text.eachElement(versions.start, (version) =>
        member(text, version.start, 'schema', (schema) => {
          if (schema.end - schema.start > longestSchema) found.push(schema);
        }),
      );
    }),
  );
  return found;
}

/** Of what may be an object. */
function member(text: LargeText, at: number, name: string, visit: (value: Span) => void): void {
  if (!isObject(text.bytes, at)) return;
  text.eachMember(at, (key, value) => {
    if (spanIs(text.bytes, key, name)) visit(value);
  });
}
