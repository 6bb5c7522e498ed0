/** Opens the store of a server: the disk on a thread of its own, and the current values in the server's memory, too. */

import { CurrentInMemory } from './memory/current-in-memory.ts';
import type { ObjectStore } from './object-store.ts';
import { StoreError } from './store-error.ts';
import { type WorkerOptions, WorkerStore } from './worker/worker-store.ts';

export async function openStore(options: WorkerOptions): Promise<ObjectStore> {
  const store = await WorkerStore.open(options);
  try {
    return await CurrentInMemory.over(store);
  } catch (thrown) {
    // One unreadable value must not make the others unavailable: then each is read on demand.
    if (thrown instanceof StoreError && thrown.fault === 'unreadable') return store;
    await store[Symbol.asyncDispose]();
    throw thrown;
  }
}
