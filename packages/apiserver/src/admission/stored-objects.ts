/** Reads stored objects for a plugin, on any thread. */

import type { KubeObject } from '../registry/kube-object.ts';
import { asStatusErrors } from '../registry/resource-context.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** `prefix` is of the form `/registry/priorityclasses/`. */
export async function storedObjects(store: ObjectStore, prefix: string): Promise<KubeObject[]> {
  const { entries } = await asStatusErrors(store.range({ prefix }));
  return entries.map(decodeObject);
}

export async function storedObject(store: ObjectStore, key: string): Promise<KubeObject | undefined> {
  const { entry } = await asStatusErrors(store.get(key));
  return entry && decodeObject(entry);
}

/** Of several defaults the newest, and of these the first by name. */
export function newestOf(objects: readonly KubeObject[]): KubeObject | undefined {
  const madeAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  return objects.toSorted(
    (a, b) => madeAt(b).localeCompare(madeAt(a)) || (a.metadata.name! < b.metadata.name! ? -1 : 1),
  )[0];
}
