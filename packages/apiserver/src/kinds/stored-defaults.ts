/**
 * Objects that were stored before their kind had defaults are given them once, when the server opens, so that stored bytes are
 * what clients read. What has to be allocated, such as a cluster IP, is allocated by their next write.
 */

import { isDeepStrictEqual } from 'node:util';
import { keyPrefix, type ResourceKind } from '../registry/resource-kind.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Says of which kinds all objects have their defaults. */
const markerKey = '/registry/defaulted';
/** Objects that are read at a time. */
const pageSize = 500;

/** The defaults of these are as old as the kinds. */
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
      // Written by somebody else meanwhile, it has them.
      if (!isDeepStrictEqual(object, before))
        await store.write({ op: 'update', key, value: encodeObject(object), ifRevision: revision });
    }
    after = page.entries.at(-1)?.key;
    more = page.more;
  }
}
