import { describe, expect, it } from 'vitest';
import type { ObjectStore, StoreEvent, Write } from '../object-store.ts';
import { openLocal } from '../open-local.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { create, text, textOf, update } from '../testing/writing.ts';
import { CurrentInMemory } from './current-in-memory.ts';

const openDisk = (): ObjectStore => openLocal({ directory: temporaryDirectory(), encryptedPrefixes: [] });

/** A store that holds back responses to writes until they are released. */
function withLateAnswers(store: ObjectStore) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late: ObjectStore = Object.create(store, {
    write: {
      value: async (write: Write) => {
        const outcome = await store.write(write);
        await promise;
        return outcome;
      },
    },
    range: { value: store.range.bind(store) },
    watch: { value: store.watch.bind(store) },
    [Symbol.asyncDispose]: { value: () => store[Symbol.asyncDispose]() },
  });
  return { late, release: resolve };
}

describe('what is current, in memory', () => {
  it('is read without asking the store', async () => {
    await using disk = openDisk();
    await create(disk, '/a', 'one');
    const asked: string[] = [];
    const store = await CurrentInMemory.over(disk);
    disk.get = async () => expect.unreachable();
    disk.range = async ({ prefix, revision }) => {
      asked.push(`${prefix} ${revision}`);
      return { revision: 2, entries: [], more: false };
    };
    await update(store, '/a', 'two', 2);
    expect(textOf((await store.get('/a')).entry)).toBe('two');
    expect((await store.range({ prefix: '/' })).entries.map(textOf)).toEqual(['two']);
    expect(asked).toEqual([]);
    await store.range({ prefix: '/', revision: 2 });
    expect(asked).toEqual(['/ 2']);
  });

  it('does not keep the memory beside a value', async () => {
    await using store = await CurrentInMemory.over(openDisk());
    const pool = new Uint8Array(10_000);
    await store.write({ op: 'create', key: '/a', value: pool.subarray(10, 20) });
    expect((await store.get('/a')).entry!.value.buffer.byteLength).toBe(10);
  });

  it('is what events of the last writes bring, not a copy of it', async () => {
    await using store = await CurrentInMemory.over(openDisk());
    await create(store, '/a', 'one');
    const first = (await store.get('/a')).entry!.value;
    await update(store, '/a', 'two', 2);
    const second = (await store.get('/a')).entry!.value;
    await store.write({ op: 'delete', key: '/a', ifRevision: 3 });
    await using watch = store.watch('/', 1);
    const events: StoreEvent[] = [];
    for await (const batch of watch) if (events.push(...batch.events) >= 3) break;
    expect(events.map(({ revision }) => revision)).toEqual([2, 3, 4]);
    expect(events[0]!.value).toBe(first);
    expect(events[0]).not.toHaveProperty('previous');
    expect([events[1]!.value, events[1]!.previous]).toEqual([second, first]);
    expect(events[1]!.previous).toBe(first);
    expect(events[2]!.previous).toBe(second);
    expect(events[2]).not.toHaveProperty('value');
  });

  it('has a change before any watch delivers it, and not before it is acknowledged (CP-7)', async () => {
    const { late, release } = withLateAnswers(openDisk());
    await using store = await CurrentInMemory.over(late);
    await using watch = store.watch('/', 1);
    const event = watch[Symbol.asyncIterator]().next();
    let isDelivered = false;
    void event.then(() => {
      isDelivered = true;
    });
    const written = store.write({ op: 'create', key: '/a', value: text('one') });
    // On disk, and delivered to the store's own watches.
    await using other = late.watch('/', 1);
    await other[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await store.get('/a')).entry).toBeUndefined();
    expect(isDelivered).toBe(false);
    release();
    await written;
    expect(textOf((await store.get('/a')).entry)).toBe('one');
    expect((await event).value?.events).toHaveLength(1);
  });
});
