/** Changes ownerReferences for the collector. No other field is changed, so none is validated. */

import type { KubeObject, OwnerReference } from '../registry/kube-object.ts';
import { readInSlices } from '../registry/read-in-slices.ts';
import { encodeObject } from '../registry/stored-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Item } from './ownership.ts';

type Owners = readonly OwnerReference[];

/** Only of this very object: a new object with its name is not changed. */
export async function editOwners(
  store: Pick<ObjectStore, 'get' | 'write'>,
  { key, uid }: Item,
  edit: (owners: Owners) => Owners,
): Promise<void> {
  let { entry } = await store.get(key);
  while (entry) {
    const object = await readInSlices(entry.value);
    const { ownerReferences = [] } = object.metadata;
    if (object.metadata.uid !== uid) return;
    const value = encodeObject(withOwners(object, edit(ownerReferences)));
    const outcome = await store.write({ op: 'update', key, value, ifRevision: entry.revision });
    if (outcome.done) return;
    entry = outcome.current;
  }
}

function withOwners(object: KubeObject, owners: Owners): KubeObject {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(owners.length > 0 ? { ownerReferences: [...owners] } : {}) } };
}
