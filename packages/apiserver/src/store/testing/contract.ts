/** The contract suite of stores, run for each engine and thread. */

import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../object-store.ts';
import { watchContract } from './watch-contract.ts';
import { create, remove, text, textOf, update } from './writing.ts';

/** Opens a store; with the place of a closed one, opens that again. */
export type OpenStore = (place?: string) => Promise<{ store: ObjectStore; place: string }>;

export function storeContract(name: string, open: OpenStore): void {
  describe(`${name}: writes`, () => {
    it('the first revision is 1, and each write has the next one', async () => {
      await using store = (await open()).store;
      expect(await store.revision()).toBe(1);
      expect(await create(store, '/a', 'one')).toEqual({ done: true, revision: 2 });
      expect(await update(store, '/a', 'two', 2)).toEqual({ done: true, revision: 3 });
      expect(await remove(store, '/a', 3)).toEqual({ done: true, revision: 4 });
      expect(await store.revision()).toBe(4);
    });

    it('many at once have one revision each, in their order', async () => {
      await using store = (await open()).store;
      const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => create(store, `/${index}`, 'x')));
      expect(outcomes.map((outcome) => outcome.done && outcome.revision)).toEqual(
        outcomes.map((_, index) => index + 2),
      );
    });

    it('of writers that expect the same, one wins and the others see what stands there', async () => {
      await using store = (await open()).store;
      await create(store, '/a', 'old');
      const outcomes = await Promise.all(['x', 'y', 'z'].map((value) => update(store, '/a', value, 2)));
      expect(outcomes.map(({ done }) => done)).toEqual([true, false, false]);
      expect(outcomes[2]).toEqual({ done: false, current: { key: '/a', value: text('x'), revision: 3 } });
      expect(await store.revision()).toBe(3);
    });

    it('a create of what is there, and a change or removal of what is not, do nothing', async () => {
      await using store = (await open()).store;
      await create(store, '/a', 'old');
      expect(await create(store, '/a', 'new')).toMatchObject({ done: false, current: { revision: 2 } });
      expect(await update(store, '/b', 'new', 2)).toEqual({ done: false, current: undefined });
      expect(await remove(store, '/b', 2)).toEqual({ done: false, current: undefined });
      expect(await remove(store, '/a', 1)).toMatchObject({ done: false, current: { revision: 2 } });
      expect(textOf((await store.get('/a')).entry)).toBe('old');
    });

    it('a write that requires another key to be as it was does nothing once that has changed', async () => {
      await using store = (await open()).store;
      const value = text('x');
      const requires = [{ key: '/a', revision: 2 }];
      await create(store, '/a', 'one');
      expect(await store.write({ op: 'create', key: '/b', value, requires })).toEqual({ done: true, revision: 3 });
      const racing = [
        update(store, '/a', 'two', 2),
        store.write({ op: 'create', key: '/c', value, requires }),
        store.write({ op: 'create', key: '/d', value, requires: [{ key: '/none', revision: 2 }] }),
      ];
      const unmet = { done: false, current: undefined, unmet: true };
      expect(await Promise.all(racing)).toEqual([{ done: true, revision: 4 }, unmet, unmet]);
      expect((await store.get('/c')).entry).toBeUndefined();
      // Nor does an update.
      expect(await store.write({ op: 'update', key: '/b', value, ifRevision: 3, requires })).toEqual(unmet);
      const met = [{ key: '/a', revision: 4 }];
      expect(await store.write({ op: 'update', key: '/b', value, ifRevision: 3, requires: met })).toMatchObject({
        done: true,
      });
      // A conflict is reported before an unmet precondition.
      expect(await store.write({ op: 'create', key: '/b', value, requires })).toMatchObject({
        current: { revision: 5 },
      });
    });

    it('a write that requires a prefix to be as it was does nothing once something below it has changed', async () => {
      await using store = (await open()).store;
      const value = text('x');
      await create(store, '/a/1', 'one');
      await create(store, '/b/1', 'one');
      const since = (prefix: string, revision: number) => [{ prefix, revision }];
      const unmet = { done: false, current: undefined, unmet: true };
      // Of two that have read the same state, one writes.
      const racing = ['/a/2', '/a/3'].map((key) =>
        store.write({ op: 'create', key, value, requires: since('/a/', 3) }),
      );
      expect(await Promise.all(racing)).toEqual([{ done: true, revision: 4 }, unmet]);
      expect(await store.write({ op: 'create', key: '/b/2', value, requires: since('/b/', 3) })).toMatchObject({
        done: true,
      });
      // A deletion is a change, too.
      await remove(store, '/a/1', 2);
      const update = { op: 'update', key: '/a/2', value, ifRevision: 4 } as const;
      expect(await store.write({ ...update, requires: since('/a/', 5) })).toEqual(unmet);
      expect(await store.write({ ...update, requires: since('/a/', 6) })).toMatchObject({ done: true });
      // Compacted changes count as changes.
      await store.compact(7);
      expect(await store.write({ op: 'create', key: '/c', value, requires: since('/d/', 6) })).toEqual(unmet);
    });

    it('what was deleted can be created again', async () => {
      await using store = (await open()).store;
      await create(store, '/a', 'one');
      await remove(store, '/a', 2);
      expect((await store.get('/a')).entry).toBeUndefined();
      expect(await create(store, '/a', 'two')).toEqual({ done: true, revision: 4 });
    });

    it('values are bytes, of any kind and length', async () => {
      await using store = (await open()).store;
      const values = [new Uint8Array(), new Uint8Array([0, 255, 10]), new Uint8Array(1_500_000).fill(7)];
      for (const [index, value] of values.entries()) await store.write({ op: 'create', key: `/${index}`, value });
      for (const [index, value] of values.entries()) {
        expect(Buffer.compare((await store.get(`/${index}`)).entry!.value, value)).toBe(0);
      }
    });

    it('all is there when it is opened again', async () => {
      const { store, place } = await open();
      await create(store, '/a', 'one');
      await create(store, '/b', 'two');
      await remove(store, '/b', 3);
      await store[Symbol.asyncDispose]();
      await using again = (await open(place)).store;
      expect(await again.revision()).toBe(4);
      expect((await again.range({ prefix: '/' })).entries).toEqual([{ key: '/a', value: text('one'), revision: 2 }]);
    });

    it('what was asked for before it is closed is done, later questions are refused', async () => {
      const { store, place } = await open();
      const write = create(store, '/a', 'one');
      const end = store[Symbol.asyncDispose]();
      expect(await write).toEqual({ done: true, revision: 2 });
      await end;
      await expect(create(store, '/b', 'two')).rejects.toMatchObject({ fault: 'closed' });
      await using again = (await open(place)).store;
      expect(textOf((await again.get('/a')).entry)).toBe('one');
    });
  });

  describe(`${name}: ranges`, () => {
    const filled = async () => {
      const { store } = await open();
      for (const key of ['/x/b', '/x/a', '/x/é', '/y/a', '/x/c', '/w/z']) await create(store, key, key);
      return store;
    };
    const keys = ({ entries }: { entries: { key: string }[] }) => entries.map(({ key }) => key);

    it('a prefix, in the order of bytes', async () => {
      await using store = await filled();
      const range = await store.range({ prefix: '/x/' });
      expect(keys(range)).toEqual(['/x/a', '/x/b', '/x/c', '/x/é']);
      expect(range).toMatchObject({ revision: 7, more: false });
      expect(range.entries.map(textOf)).toEqual(keys(range));
      expect(keys(await store.range({ prefix: '' }))).toHaveLength(6);
      expect(keys(await store.range({ prefix: '/z' }))).toEqual([]);
    });

    it('pages with the number of remaining entries', async () => {
      await using store = await filled();
      const first = await store.range({ prefix: '/x/', limit: 3, count: true });
      expect([keys(first), first.more, first.remaining]).toEqual([['/x/a', '/x/b', '/x/c'], true, 1]);
      const rest = await store.range({ prefix: '/x/', after: '/x/c', limit: 3, count: true });
      expect([keys(rest), rest.more, rest.remaining]).toEqual([['/x/é'], false, 0]);
      expect(await store.range({ prefix: '/x/', limit: 4 })).toMatchObject({ more: false });
    });

    it('as it was at an earlier revision, page by page', async () => {
      await using store = await filled();
      await update(store, '/x/a', 'changed', 3);
      await remove(store, '/x/b', 2);
      await create(store, '/x/0', 'new');
      const first = await store.range({ prefix: '/x/', limit: 2, revision: 7, count: true });
      expect([keys(first), first.remaining, first.revision]).toEqual([['/x/a', '/x/b'], 2, 7]);
      expect(first.entries.map(textOf)).toEqual(['/x/a', '/x/b']);
      expect(keys(await store.range({ prefix: '/x/', after: '/x/b', revision: 7 }))).toEqual(['/x/c', '/x/é']);
      expect(keys(await store.range({ prefix: '/x/', revision: 9 }))).toEqual(['/x/a', '/x/c', '/x/é']);
      expect(keys(await store.range({ prefix: '/x/', revision: 2 }))).toEqual(['/x/b']);
    });

    it('a revision that is not there yet is refused', async () => {
      await using store = await filled();
      await expect(store.range({ prefix: '/', revision: 8 })).rejects.toMatchObject({ fault: 'future' });
    });

    it('a long one is whole, and of one revision', async () => {
      await using store = (await open()).store;
      await Promise.all(Array.from({ length: 1_700 }, (_, index) => create(store, `/${index + 1_000}`, 'x')));
      const reading = store.range({ prefix: '/' });
      await create(store, '/9999', 'late');
      const { entries, revision } = await reading;
      expect([entries.length, new Set(entries.map(({ key }) => key)).size, revision]).toEqual([1_700, 1_700, 1_701]);
      expect((await store.range({ prefix: '/', limit: 1_600, count: true })).remaining).toBe(101);
    });
  });

  describe(`${name}: compaction`, () => {
    it('refuses what was before, and keeps what is', async () => {
      await using store = (await open()).store;
      await create(store, '/a', 'one');
      await update(store, '/a', 'two', 2);
      await create(store, '/gone', 'x');
      await remove(store, '/gone', 4);
      await create(store, '/b', 'three');
      await store.compact(5);
      await expect(store.range({ prefix: '/', revision: 4 })).rejects.toMatchObject({ fault: 'compacted', limit: 5 });
      await expect(store.compact(4)).rejects.toMatchObject({ fault: 'compacted' });
      await expect(store.compact(7)).rejects.toMatchObject({ fault: 'future' });
      expect((await store.range({ prefix: '/', revision: 5 })).entries.map(textOf)).toEqual(['two']);
      expect((await store.range({ prefix: '/' })).entries.map(textOf)).toEqual(['two', 'three']);
    });

    it('never takes a revision back, even if nothing is left', async () => {
      const { store, place } = await open();
      await create(store, '/a', 'one');
      await remove(store, '/a', 2);
      await store.compact(3);
      await store[Symbol.asyncDispose]();
      await using again = (await open(place)).store;
      expect(await create(again, '/a', 'two')).toEqual({ done: true, revision: 4 });
      await expect(again.range({ prefix: '/', revision: 2 })).rejects.toMatchObject({ fault: 'compacted' });
    });

    it('of a long history leaves all that can still be read', async () => {
      await using store = (await open()).store;
      await create(store, '/a', '1');
      const revisions = Array.from({ length: 1_398 }, (_, index) => index + 2);
      await Promise.all(revisions.map((revision) => update(store, '/a', `${revision}`, revision)));
      await store.compact(1_300);
      expect(await store.revision()).toBe(1_400);
      expect(textOf((await store.range({ prefix: '/', revision: 1_300 })).entries[0])).toBe('1299');
      expect(textOf((await store.get('/a')).entry)).toBe('1399');
    });
  });

  watchContract(name, open);
}
