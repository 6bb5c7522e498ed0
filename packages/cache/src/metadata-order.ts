/**
 * Writes metadata in the key order of Go's ObjectMeta. Custom objects have sorted keys, but kube-apiserver writes a
 * PartialObjectMetadata from a Go struct.
 */

import { eachElement, eachMember, isArray, isObject, skipValue } from '@fleet/kube/json-bytes.ts';
import type { ChunkWriter } from './chunk-writer.ts';

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const ownerOrder = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
const managerOrder = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];

interface Member {
  rank: number;
  /** The offset of the key's opening quote. */
  start: number;
  value: number;
  end: number;
}

export function writeStructMetadata(to: ChunkWriter, bytes: Buffer): void {
  writeMembers(to, bytes, 0, metadataOrder, (name, value, end) => {
    const order = name === 'ownerReferences' ? ownerOrder : name === 'managedFields' ? managerOrder : undefined;
    if (!order || !isArray(bytes, value)) {
      to.copy(bytes, value, end);
      return;
    }
    to.text('[');
    eachElement(bytes, value, (element, index, elementEnd) => {
      if (index > 0) to.text(',');
      if (!isObject(bytes, element)) to.copy(bytes, element, elementEnd);
      else writeMembers(to, bytes, element, order, (_, from, until) => to.copy(bytes, from, until));
    });
    to.text(']');
  });
}

function writeMembers(
  to: ChunkWriter,
  bytes: Buffer,
  at: number,
  order: readonly string[],
  writeValue: (name: string, value: number, end: number) => void,
): void {
  const members: Member[] = [];
  eachMember(bytes, at, (key, value) => {
    const rank = order.indexOf(bytes.toString('latin1', key.start, key.end));
    const end = skipValue(bytes, value);
    // Unknown keys are dropped, as by the struct.
    if (rank >= 0) members.push({ rank, start: key.start - 1, value, end });
    return end;
  });
  to.text('{');
  for (const [index, { rank, start, value, end }] of members.sort((a, b) => a.rank - b.rank).entries()) {
    if (index > 0) to.text(',');
    to.copy(bytes, start, value);
    writeValue(order[rank]!, value, end);
  }
  to.text('}');
}
