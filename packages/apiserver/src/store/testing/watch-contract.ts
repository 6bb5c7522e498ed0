/** The contract suite of watches of stores. */

import { describe, expect, it } from 'vitest';
import type { EventBatch, StoreEvent, StoreWatch } from '../object-store.ts';
import type { OpenStore } from './contract.ts';
import { create, remove, update } from './writing.ts';

const lineOf = ({ key, revision, value, previous }: StoreEvent): string =>
  [revision, key, value ? Buffer.from(value) : '-', previous ? Buffer.from(previous) : '-'].join(' ');

/** Reads until so many events have arrived. */
async function take(batches: AsyncIterator<EventBatch>, count: number): Promise<string[]> {
  const events: string[] = [];
  while (events.length < count) {
    const { value, done } = await batches.next();
    if (done) throw new Error(`the watch ended after ${events.length} of ${count} events`);
    events.push(...(value as EventBatch).events.map(lineOf));
  }
  return events;
}

const batchesOf = (watch: StoreWatch): AsyncIterator<EventBatch> => watch[Symbol.asyncIterator]();

export function watchContract(name: string, open: OpenStore): void {
  describe(`${name}: watches`, () => {
    it('deliver creations, changes and deletions with the previous value', async () => {
      await using store = (await open()).store;
      await using watch = store.watch('/x/', 1);
      const events = batchesOf(watch);
      await create(store, '/x/a', 'one');
      await create(store, '/y/a', 'other');
      await update(store, '/x/a', 'two', 2);
      await remove(store, '/x/a', 4);
      expect(await take(events, 3)).toEqual(['2 /x/a one -', '4 /x/a two one', '5 /x/a - two']);
    });

    it('start at a past revision and continue with new events', async () => {
      await using store = (await open()).store;
      for (let index = 0; index < 5; index += 1) await create(store, `/${index}`, 'x');
      await using watch = store.watch('/', 4);
      const events = batchesOf(watch);
      expect(await take(events, 2)).toEqual(['5 /3 x -', '6 /4 x -']);
      await create(store, '/5', 'y');
      expect(await take(events, 1)).toEqual(['7 /5 y -']);
    });

    it('deliver everything once and in order, while much is written', async () => {
      await using store = (await open()).store;
      const writing = Promise.all(Array.from({ length: 900 }, (_, index) => create(store, `/${index}`, 'x')));
      await using early = store.watch('/', 1);
      await writing;
      await using late = store.watch('/', 1);
      const expected = Array.from({ length: 900 }, (_, index) => `${index + 2} /${index} x -`);
      expect(await take(batchesOf(early), 900)).toEqual(expected);
      expect(await take(batchesOf(late), 900)).toEqual(expected);
    });

    it('that nobody reads lose nothing', async () => {
      await using store = (await open()).store;
      await using watch = store.watch('/', 1);
      const events = batchesOf(watch);
      const large = 'x'.repeat(100_000);
      await create(store, '/0', 'first');
      expect(await take(events, 1)).toEqual(['2 /0 first -']);
      for (let index = 1; index <= 60; index += 1) await create(store, `/${index}`, large);
      const rest = await take(events, 60);
      expect(rest.map((event) => event.split(' ')[1])).toEqual(rest.map((_, index) => `/${index + 1}`));
    });

    it('report progress on request, also without events', async () => {
      await using store = (await open()).store;
      await using watch = store.watch('/x/', 1);
      const events = batchesOf(watch);
      await create(store, '/y/a', 'other');
      watch.requestProgress();
      expect((await events.next()).value).toEqual({ events: [], revision: 2 });
    });

    it('of a revision that was compacted are refused', async () => {
      await using store = (await open()).store;
      for (let index = 0; index < 3; index += 1) await create(store, `/${index}`, 'x');
      await store.compact(3);
      await using before = store.watch('/', 2);
      await expect(batchesOf(before).next()).rejects.toMatchObject({ fault: 'compacted' });
      await using after = store.watch('/', 3);
      expect(await take(batchesOf(after), 1)).toEqual(['4 /2 x -']);
    });

    it('still have the previous value of the first change after compaction', async () => {
      await using store = (await open()).store;
      await create(store, '/a', 'one');
      await update(store, '/a', 'two', 2);
      await update(store, '/a', 'three', 3);
      await store.compact(3);
      await create(store, '/swept', 'x');
      await using watch = store.watch('/a', 3);
      expect(await take(batchesOf(watch), 1)).toEqual(['4 /a three two']);
    });

    it('from a future revision deliver only newer events', async () => {
      await using store = (await open()).store;
      await using watch = store.watch('/', 3);
      const events = batchesOf(watch);
      for (let index = 0; index < 3; index += 1) await create(store, `/${index}`, 'x');
      expect(await take(events, 1)).toEqual(['4 /2 x -']);
    });

    it('end when they are left', async () => {
      await using store = (await open()).store;
      const watch = store.watch('/', 1);
      const next = batchesOf(watch).next();
      await watch[Symbol.asyncDispose]();
      expect(await next).toMatchObject({ done: true });
    });

    it('fail when the store is closed', async () => {
      const { store } = await open();
      const next = batchesOf(store.watch('/', 1)).next();
      await Promise.all([expect(next).rejects.toMatchObject({ fault: 'closed' }), store[Symbol.asyncDispose]()]);
    });
  });
}
