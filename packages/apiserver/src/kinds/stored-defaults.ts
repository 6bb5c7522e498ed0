/**
 * Adds defaults to objects that were stored before their kind had them, once, when the server opens, so that clients read
 * stored bytes. Values that must be allocated, such as a cluster IP, are allocated by the next write.
 */

import { isDeepStrictEqual } from 'node:util';
import { keyPrefix, type ResourceKind } from '../registry/resource-kind.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Records the kinds whose objects all have their defaults. */
const markerKey = '/registry/defaulted';
/** Objects per read. */
const pageSize = 500;

/** These kinds have had defaults from the start. */
const alwaysDefaulted = ['/secrets', '/namespaces'];

const nameOf = ({ group, resource }: ResourceKind): string => `${group}/${resource}`;

export async function defaultStoredObjects(store: ObjectStore, kinds: readonly ResourceKind[]): Promise<void> {
  const { entry } = await store.get(markerKey);
  const done: string[] = entry ? JSON.parse(Buffer.from(entry.value).toString()).kinds : [];
  const pending = kinds.filter(
    (kind) =>
      kind.strategy.complete && !kind.stored && !alwaysDefaulted.includes(nameOf(kind)) && !done.includes(nameOf(kind)),
  );
  if (pending.length === 0) return;
  for (const kind of pending) await defaultAll(store, kind);
  const value = Buffer.from(JSON.stringify({ kinds: [...done, ...pending.map(nameOf)] }));
  await store.write(
    entry
      ? { op: 'update', key: markerKey, value, ifRevision: entry.revision }
      : { op: 'create', key: markerKey, value },
  );
}

async function defaultAll(store: ObjectStore, kind: ResourceKind): Promise<void> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await store.range({ prefix: keyPrefix(kind), after, limit: pageSize });
    for (const { key, value, revision } of page.entries) {
      const object = decodeObject({ value, revision });
      const before = structuredClone(object);
      kind.strategy.complete!(object);
      // After a concurrent write, it has its defaults.
      if (!isDeepStrictEqual(object, before))
        await store.write({ op: 'update', key, value: encodeObject(object), ifRevision: revision });
    }
    after = page.entries.at(-1)?.key;
    more = page.more;
  }
}
