import { onTestFinished } from 'vitest';
import { LocalStore } from '../../store/local-store.ts';
import { SqliteEngine } from '../../store/sqlite/sqlite-engine.ts';
import { temporaryDirectory } from '../../store/testing/temporary-directory.ts';
import { Registry } from '../registry.ts';
import type { ResourceKind } from '../resource-kind.ts';

/** A registry on a store of its own, both disposed after the test. Its clock stands still. */
export async function openRegistry(kind: ResourceKind): Promise<{ registry: Registry; store: LocalStore }> {
  const store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
  const registry = await Registry.open(store, kind, () => Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  onTestFinished(async () => {
    await registry[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });
  return { registry, store };
}
