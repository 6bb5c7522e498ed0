/** A large object in outline: what selectors and followers look at, without what makes it large (LIMIT-3). */

import { isObject, type Span } from '@fleet/kube/json-bytes.ts';
import type { KubeObject } from './kube-object.ts';
import { LargeText, small } from './large-text.ts';

/** A field that is larger is left out. */
const largestField = 4 * 1024;

/** Who wrote what is as large as what was written. */
const leftOutOfMetadata = 'managedFields';

export interface Outline {
  object: KubeObject;
  /** Names of fields that are not there. */
  leavesOut: string[];
}

const bufferOf = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** At once: of what may be large only where nothing else goes on. */
export const outlineOf = (value: Uint8Array): Outline => outlineIn(LargeText.unwalked(bufferOf(value)));

/** The event loop turns meanwhile, unless the object is small. */
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

/** With its quotes. */
const textOf = (bytes: Buffer, { start, end }: Span): string => bytes.toString('utf8', start - 1, end + 1);
