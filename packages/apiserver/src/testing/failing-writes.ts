import type { ObjectStore, Write } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';

/** A store of which the first such write fails, as on a disk that is full for a moment. */
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
