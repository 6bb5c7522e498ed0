/** A large object in outline: what selectors and followers look at, without what makes it large (LIMIT-3). */

import { eachMember, isObject, type Span, skipValue } from '@fleet/kube/json-bytes.ts';
import type { KubeObject } from './kube-object.ts';

/** In bytes: up to here objects are read as a whole. */
const small = 32 * 1024;

/** A field that is larger is left out. */
const largestField = 4 * 1024;

/** Who wrote what is as large as what was written. */
const leftOutOfMetadata = 'managedFields';

/** `leavesOut` are the names of fields that are not there. */
export function outlineOf(value: Uint8Array): { object: KubeObject; leavesOut: string[] } {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length <= small) return { object: JSON.parse(bytes.toString()) as KubeObject, leavesOut: [] };
  const members: string[] = [];
  const leavesOut: string[] = [];
  eachMember(bytes, 0, (key, start) => {
    const name = textOf(bytes, key);
    const end = skipValue(bytes, start);
    if (name === '"metadata"' && isObject(bytes, start)) members.push(`${name}:${metadataOf(bytes, start)}`);
    else if (end - start <= largestField) members.push(`${name}:${bytes.toString('utf8', start, end)}`);
    else leavesOut.push(JSON.parse(name) as string);
    return end;
  });
  return { object: JSON.parse(`{${members.join()}}`) as KubeObject, leavesOut };
}

function metadataOf(bytes: Buffer, at: number): string {
  const members: string[] = [];
  eachMember(bytes, at, (key, value) => {
    const end = skipValue(bytes, value);
    const name = textOf(bytes, key);
    if (name !== `"${leftOutOfMetadata}"`) members.push(`${name}:${bytes.toString('utf8', value, end)}`);
    return end;
  });
  return `{${members.join()}}`;
}

/** With its quotes. */
const textOf = (bytes: Buffer, { start, end }: Span): string => bytes.toString('utf8', start - 1, end + 1);
