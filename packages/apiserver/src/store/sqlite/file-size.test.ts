import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalStore } from '../local-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { SqliteEngine } from './sqlite-engine.ts';

const mebibyte = 1 << 20;
const value = new Uint8Array(1_000).fill(7);

const sizeOf = (directory: string): number =>
  ['store.db', 'store.db-wal'].reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);

const openWith = (directory: string, historyLimit?: number): LocalStore =>
  new LocalStore(new SqliteEngine({ directory, ...(historyLimit === undefined ? {} : { historyLimit }) }));

/** Writes twenty keys in turn, `count` times in all. */
async function overwrite(store: ObjectStore, times: number): Promise<void> {
  const revisions = new Map((await store.range({ prefix: '/k' })).entries.map(({ key, revision }) => [key, revision]));
  const one = async (key: string): Promise<void> => {
    const ifRevision = revisions.get(key);
    const write = ifRevision === undefined ? ({ op: 'create' } as const) : ({ op: 'update', ifRevision } as const);
    const outcome = await store.write({ ...write, key, value });
    if (!outcome.done) throw new Error(`${key} was written by another`);
    revisions.set(key, outcome.revision);
  };
  for (let round = 0; round < times / 20; round += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => one(`/k${index}`)));
  }
}

/** The oldest revision that can be read. */
const oldest = (store: ObjectStore): Promise<number> =>
  store.range({ prefix: '/k', revision: 0 }).then(
    () => 0,
    (error: { limit: number }) => error.limit,
  );

describe('CP-1: the file of the store', () => {
  it('history is bounded by bytes: what is older is refused, the newest stay readable', async () => {
    await using store = openWith(temporaryDirectory(), mebibyte);
    await overwrite(store, 4_000);
    const kept = await oldest(store);
    const revision = await store.revision();
    // Of a thousand bytes each, plus overhead.
    expect(revision - kept).toBeGreaterThan(600);
    expect(revision - kept).toBeLessThan(1_050);
    expect((await store.range({ prefix: '/k', revision: kept })).entries).toHaveLength(20);
    await expect(store.range({ prefix: '/k', revision: kept - 1 })).rejects.toMatchObject({ fault: 'compacted' });
    await using watch = store.watch('/k', kept - 1);
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ fault: 'compacted' });
  });

  it('what was compacted counts no more, so the next compaction is due only when there is as much again', () => {
    using engine = new SqliteEngine({ directory: temporaryDirectory(), historyLimit: 64 << 10 });
    const one = (): void => {
      const ifRevision = engine.get('/k')?.revision;
      const write = ifRevision === undefined ? ({ op: 'create' } as const) : ({ op: 'update', ifRevision } as const);
      engine.commit([{ ...write, key: '/k', value }]);
    };
    for (let writes = 0; engine.excess === undefined && writes < 200; writes += 1) one();
    expect(engine.excess).toBeDefined();
    const most = engine.revision;
    engine.compact(most);
    for (let writes = 0; writes < most / 2; writes += 1) {
      one();
      expect(engine.excess).toBeUndefined();
    }
  });

  it('the history that an earlier process left is counted, too', async () => {
    const directory = temporaryDirectory();
    const before = openWith(directory, Number.POSITIVE_INFINITY);
    await overwrite(before, 3_000);
    expect(await oldest(before)).toBe(0);
    await before[Symbol.asyncDispose]();
    await using store = openWith(directory, mebibyte);
    await overwrite(store, 20);
    expect((await store.revision()) - (await oldest(store))).toBeLessThan(1_050);
  });

  it('over five compactions its size has a bound, and space is given back', { timeout: 30_000 }, async () => {
    const directory = temporaryDirectory();
    await using store = openWith(directory, 2 * mebibyte);
    const compactions = new Set<number>();
    let largest = 0;
    for (let rounds = 0; compactions.size <= 5 && rounds < 40; rounds += 1) {
      await overwrite(store, 500);
      compactions.add(await oldest(store));
      largest = Math.max(largest, sizeOf(directory));
    }
    expect(compactions.size).toBe(6);
    // History, rows not swept yet, and a write-ahead log of four megabytes that is checkpointed when it is full.
    expect(largest).toBeLessThan(12 * mebibyte);
    expect((await store.range({ prefix: '/k' })).entries).toHaveLength(20);
  });

  it('a large history that goes leaves a small file', { timeout: 30_000 }, async () => {
    const directory = temporaryDirectory();
    await using store = openWith(directory);
    await overwrite(store, 20_000);
    expect(sizeOf(directory)).toBeGreaterThan(20 * mebibyte);
    await store.compact(await store.revision());
    // 4 MiB stay free for the next writes.
    await expect.poll(() => sizeOf(directory), { timeout: 20_000 }).toBeLessThan(5 * mebibyte);
    expect((await store.range({ prefix: '/k' })).entries).toHaveLength(20);
    await overwrite(store, 100);
  });
});
