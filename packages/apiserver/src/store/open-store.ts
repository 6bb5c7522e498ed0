/** The store in a data directory as servers have it: its disk in a thread of its own, what it holds now also in theirs. */

import { CurrentInMemory } from './memory/current-in-memory.ts';
import type { ObjectStore } from './object-store.ts';
import { StoreError } from './store-error.ts';
import { type WorkerOptions, WorkerStore } from './worker/worker-store.ts';

export async function openStore(options: WorkerOptions): Promise<ObjectStore> {
  const store = await WorkerStore.open(options);
  try {
    return await CurrentInMemory.over(store);
  } catch (thrown) {
    // One value that cannot be read is no reason to do without the others: then each is read when it is asked for.
    if (thrown instanceof StoreError && thrown.fault === 'unreadable') return store;
    await store[Symbol.asyncDispose]();
    throw thrown;
  }
}
