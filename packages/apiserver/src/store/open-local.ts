/** Opens the store in a data directory: SQLite, with encrypted Secrets. */

import { encrypted } from './encryption/encrypted-store.ts';
import { openKeyFile } from './encryption/key-file.ts';
import { LocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import { type EngineOptions, SqliteEngine } from './sqlite/sqlite-engine.ts';

export interface StoreOptions extends EngineOptions {
  /** Values under these prefixes are encrypted at rest (CP-6). */
  encryptedPrefixes: readonly string[];
}

export function openLocal({ encryptedPrefixes, ...options }: StoreOptions): ObjectStore {
  // The database first, as it takes the lock: a second process must not touch the keys.
  const engine = new SqliteEngine(options);
  try {
    const keys = openKeyFile(options.directory, () =>
      encryptedPrefixes.some((prefix) => engine.range({ prefix, limit: 1 }).entries.length > 0),
    );
    return encrypted(new LocalStore(engine), keys, encryptedPrefixes);
  } catch (thrown) {
    engine[Symbol.dispose]();
    throw thrown;
  }
}
