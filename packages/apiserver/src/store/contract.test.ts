import { LocalStore } from './local-store.ts';
import { CurrentInMemory } from './memory/current-in-memory.ts';
import { MemoryEngine } from './memory/memory-engine.ts';
import { openLocal } from './open-local.ts';
import { openStore } from './open-store.ts';
import { storeContract } from './testing/contract.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { WorkerStore } from './worker/worker-store.ts';

// Values under one of the prefixes are encrypted, so the contract covers both.
const encryptedPrefixes = ['/x/'];

storeContract('SQLite in this thread', async (place = temporaryDirectory()) => ({
  store: openLocal({ directory: place, encryptedPrefixes }),
  place,
}));

storeContract('CP-7: SQLite in a thread of its own', async (place = temporaryDirectory()) => ({
  store: await WorkerStore.open({ directory: place, encryptedPrefixes }),
  place,
}));

storeContract('what is current in memory', async (place = temporaryDirectory()) => ({
  store: await CurrentInMemory.over(openLocal({ directory: place, encryptedPrefixes })),
  place,
}));

storeContract('CP-7: the store of a server', async (place = temporaryDirectory()) => ({
  store: await openStore({ directory: place, encryptedPrefixes }),
  place,
}));

/** Memory cannot be opened again: the engine itself is kept for tests that do. */
const engines = new Map<string, MemoryEngine>();

storeContract('in memory alone', async (place = String(engines.size)) => {
  const engine = engines.get(place) ?? new MemoryEngine();
  engines.set(place, engine);
  return { store: new LocalStore(engine), place };
});
