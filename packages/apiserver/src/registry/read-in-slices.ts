/** A large object read field by field, between which the event loop turns (LIMIT-3). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { eachMember, isObject, type Span, skipValue } from '@fleet/kube/json-bytes.ts';
import { type JsonValue, parseJson } from '@fleet/kube/json-value.ts';
import type { KubeObject } from './kube-object.ts';

/** In bytes: up to here it is read at once. */
const small = 32 * 1024;

export async function readInSlices(value: Uint8Array): Promise<KubeObject> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length <= small) return parseJson(bytes.toString()) as unknown as KubeObject;
  // Half of it may be who wrote it, which stands in the metadata.
  return (await readObject(bytes, 0, ['metadata'])) as unknown as KubeObject;
}

/** What was kept is no deeper than may be; only long numbers need care. */
const parse = (text: string): JsonValue => (/\d{16}/.test(text) ? parseJson(text) : (JSON.parse(text) as JsonValue));

async function readObject(bytes: Buffer, at: number, apart: readonly string[]): Promise<Record<string, unknown>> {
  const members: (Span & { name: string })[] = [];
  eachMember(bytes, at, (key, value) => {
    const end = skipValue(bytes, value);
    members.push({ name: JSON.parse(bytes.toString('utf8', key.start - 1, key.end + 1)) as string, start: value, end });
    return end;
  });
  const read: [string, unknown][] = [];
  for (const { name, start, end } of members) {
    if (end - start > small) await nextTurn();
    const isApart = apart.includes(name) && isObject(bytes, start);
    read.push([name, isApart ? await readObject(bytes, start, []) : parse(bytes.toString('utf8', start, end))]);
  }
  await nextTurn();
  return Object.fromEntries(read);
}
