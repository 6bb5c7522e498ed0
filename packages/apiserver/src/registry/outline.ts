/** The outline of a large object: the fields that selectors and controllers read, without the large ones (LIMIT-3). */

import { isObject, type Span } from '@fleet/kube/json-bytes.ts';
import type { KubeObject } from './kube-object.ts';
import { LargeText, small } from './large-text.ts';

/** In bytes: larger fields are left out. */
const largestField = 4 * 1024;

/** managedFields are as large as the object. */
const leftOutOfMetadata = 'managedFields';

export interface Outline {
  object: KubeObject;
  /** Names of the fields that were left out. */
  leavesOut: string[];
}

const bufferOf = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** Synchronous: for objects that may be large, only use it where blocking does not matter. */
export const outlineOf = (value: Uint8Array): Outline => outlineIn(LargeText.unwalked(bufferOf(value)));

/** Yields to the event loop, unless the object is small. */
export const outlineInSlices = async (value: Uint8Array): Promise<Outline> =>
  value.length <= small ? outlineOf(value) : outlineIn(await LargeText.walked(bufferOf(value)));

function outlineIn(text: LargeText): Outline {
  const { bytes } = text;
  if (bytes.length <= small) return { object: JSON.parse(bytes.toString()) as KubeObject, leavesOut: [] };
  const members: string[] = [];
  const leavesOut: string[] = [];
  text.eachMember(0, (key, { start, end }) => {
    const name = textOf(bytes, key);
    if (name === '"metadata"' && isObject(bytes, start)) members.push(`${name}:${metadataIn(text, start)}`);
    else if (end - start <= largestField) members.push(`${name}:${bytes.toString('utf8', start, end)}`);
    else leavesOut.push(JSON.parse(name) as string);
  });
  return { object: JSON.parse(`{${members.join()}}`) as KubeObject, leavesOut };
}

function metadataIn(text: LargeText, at: number): string {
  const members: string[] = [];
  text.eachMember(at, (key, { start, end }) => {
    const name = textOf(text.bytes, key);
    if (name !== `"${leftOutOfMetadata}"`) members.push(`${name}:${text.bytes.toString('utf8', start, end)}`);
  });
  return `{${members.join()}}`;
}

/** Including its quotes. */
const textOf = (bytes: Buffer, { start, end }: Span): string => bytes.toString('utf8', start - 1, end + 1);
