/** For tests: a store in which a write fails once, as on a disk that is full for a moment. */

import type { ObjectStore, Write } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';

/** Fails the first write of this kind to this key. */
export function failingOnce(op: Write['op'], key: string) {
  let hasFailed = false;
  const fail = (): Promise<never> => {
    hasFailed = true;
    return Promise.reject(new StoreError('full', 'no space left'));
  };
  return {
    store: (store: ObjectStore): ObjectStore =>
      wrappedStore(store, {
        write: (write) => (!hasFailed && write.op === op && write.key === key ? fail() : store.write(write)),
      }),
    hasFailed: () => hasFailed,
  };
}
