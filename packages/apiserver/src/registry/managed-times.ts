/** Keeps the times of managers if a write changes nothing else, so that nothing is written (fieldmanager's `equality.go`). */

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from './kube-object.ts';

interface Entry {
  time?: string;
}

const entriesOf = ({ metadata }: KubeObject): Entry[] => (metadata.managedFields ?? []) as Entry[];

/** Restores the times of `old` if the object does not differ otherwise. */
export function keepTimes(object: KubeObject, old: KubeObject): void {
  const [entries, before] = [entriesOf(object), entriesOf(old)];
  const isNew = entries.length === before.length && entries.some(({ time }, at) => time !== before[at]!.time);
  if (!isNew || !isDeepStrictEqual(entries.map(withoutTime), before.map(withoutTime))) return;
  if (!isDeepStrictEqual(withoutOwners(object), withoutOwners(old))) return;
  object.metadata.managedFields = before;
}

const withoutTime = ({ time: _, ...entry }: Entry): object => entry;

function withoutOwners(object: KubeObject): object {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
