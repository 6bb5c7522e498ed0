/** Writes and values for tests of stores. */

import type { Entry, ObjectStore, Outcome } from '../object-store.ts';

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export const textOf = (entry: Pick<Entry, 'value'> | undefined): string | undefined =>
  entry && new TextDecoder().decode(entry.value);

export const create = (store: ObjectStore, key: string, value: string): Promise<Outcome> =>
  store.write({ op: 'create', key, value: text(value) });

export const update = (store: ObjectStore, key: string, value: string, ifRevision: number): Promise<Outcome> =>
  store.write({ op: 'update', key, value: text(value), ifRevision });

export const remove = (store: ObjectStore, key: string, ifRevision: number): Promise<Outcome> =>
  store.write({ op: 'delete', key, ifRevision });
