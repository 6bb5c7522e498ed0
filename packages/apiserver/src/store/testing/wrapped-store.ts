/** For tests: a store with some calls replaced. */

import type { ObjectStore } from '../object-store.ts';

export const wrappedStore = (store: ObjectStore, calls: Partial<ObjectStore>): ObjectStore => ({
  revision: () => store.revision(),
  write: (write) => store.write(write),
  get: (key) => store.get(key),
  range: (query) => store.range(query),
  watch: (prefix, after) => store.watch(prefix, after),
  compact: (revision) => store.compact(revision),
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  ...calls,
});
