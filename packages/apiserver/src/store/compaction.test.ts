import { describe, expect, it } from 'vitest';
import { startCompaction } from './compaction.ts';
import { LocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import { SqliteEngine } from './sqlite/sqlite-engine.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { create } from './testing/writing.ts';

const patience = { timeout: 15_000, interval: 20 };

describe('compaction by time', () => {
  it('forgets what is older than a turn, and keeps what is newer', async () => {
    await using store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
    const compacted: number[] = [];
    const compact = store.compact.bind(store);
    store.compact = (revision) => {
      compacted.push(revision);
      return compact(revision);
    };
    await create(store, '/a', 'x');
    using _ = startCompaction(store, { everyMillis: 5, onError: (error) => expect.unreachable(String(error)) });
    let written = 0;
    await expect
      .poll(async () => {
        written += 1;
        await create(store, `/b${written}`, 'x');
        return compacted.length;
      }, patience)
      .toBeGreaterThan(2);
    await expect(store.range({ prefix: '/', revision: 1 })).rejects.toMatchObject({ fault: 'compacted' });
    expect(compacted).toEqual([...compacted].sort((a, b) => a - b));
    expect(compacted.at(-1)).toBeLessThan(await store.revision());
    expect((await store.range({ prefix: '/a' })).entries).toHaveLength(1);
  });

  it('keeps what was written in the last turn: watches resume from there', async () => {
    let revision = 0;
    const compacted: number[] = [];
    const store: Pick<ObjectStore, 'revision' | 'compact'> = {
      revision: async () => {
        revision += 10;
        return revision;
      },
      compact: async (until) => void compacted.push(until),
    };
    using _ = startCompaction(store, { everyMillis: 1, onError: (error) => expect.unreachable(String(error)) });
    await expect.poll(() => compacted.length, patience).toBeGreaterThan(2);
    expect(compacted.slice(0, 3)).toEqual([10, 20, 30]);
  });

  it('goes on where the history was shortened by its size', async () => {
    await using store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
    const errors: unknown[] = [];
    let oldest = 0;
    const compact = store.compact.bind(store);
    store.compact = async (revision) => {
      // What a limit by size does between two turns, once.
      if (oldest === 0) {
        oldest = await store.revision();
        await compact(oldest);
      }
      return compact(revision);
    };
    using _ = startCompaction(store, { everyMillis: 5, onError: (error) => errors.push(error) });
    let written = 0;
    const isGone = async () => {
      await create(store, `/b${++written}`, 'x');
      return (
        oldest > 0 &&
        store.range({ prefix: '/', revision: oldest + 1 }).then(
          () => false,
          () => true,
        )
      );
    };
    await expect.poll(isGone, patience).toBe(true);
    expect(errors).toEqual([]);
  });

  it('reports errors, and continues', async () => {
    const store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
    await store[Symbol.asyncDispose]();
    const errors: unknown[] = [];
    using _ = startCompaction(store, { everyMillis: 1, onError: (error) => errors.push(error) });
    await expect.poll(() => errors.length, patience).toBeGreaterThan(1);
  });
});
