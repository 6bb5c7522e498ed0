import { describe, expect, it, onTestFinished } from 'vitest';
import { encrypted } from '../store/encryption/encrypted-store.ts';
import { LocalStore } from '../store/local-store.ts';
import { SqliteEngine } from '../store/sqlite/sqlite-engine.ts';
import { temporaryDirectory } from '../store/testing/temporary-directory.ts';
import { create, remove, update } from '../store/testing/writing.ts';
import type { Form, Read, WatchEvent } from './shared-event.ts';
import { WatchCache, type WatchCacheOptions, type WatchRequest } from './watch-cache.ts';

/** Objects are texts whose first word is their only label. */
const read: Read = (key, value, revision) => {
  const content = Buffer.from(value).toString();
  if (content === 'unreadable') throw new Error('cannot be read');
  return {
    key,
    labels: { app: content.split(' ')[0]! },
    names: {},
    fields: {},
    look: async () => {},
    bytes: Buffer.from(`${key} ${content} @${revision}`),
  };
};

const written: string[] = [];
const lines: Form = {
  name: 'lines',
  event: (type, object) => {
    written.push(`${type} ${Buffer.from(object)}`);
    return Buffer.from(written.at(-1)!);
  },
  bookmark: (revision, ends) => Buffer.from(`BOOKMARK @${revision}${ends ? ' end' : ''}`),
};

async function opened(options: Partial<WatchCacheOptions> = {}) {
  const store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
  const open = () => new WatchCache({ store, prefix: '/pods/', read, ...options });
  const cache = open();
  onTestFinished(async () => {
    await cache[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });
  const watch = (request: Partial<WatchRequest> = {}, of = cache): AsyncIterator<WatchEvent> =>
    of
      .watch({
        from: { after: 1 },
        selects: () => true,
        bookmarks: false,
        signal: new AbortController().signal,
        ...request,
      })
      [Symbol.asyncIterator]();
  return { store, cache, open, watch };
}

async function take(events: AsyncIterator<WatchEvent>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) return [...taken, 'end'];
    taken.push(Buffer.from((value as WatchEvent).in(lines)).toString());
  }
  return taken;
}

describe('watches of one resource', () => {
  it('deliver every change of it in order, a deletion with the last state and its own version', async () => {
    const { store, watch } = await opened();
    const events = watch();
    await create(store, '/pods/x/a', 'red');
    await create(store, '/nodes/b', 'red');
    await update(store, '/pods/x/a', 'blue', 2);
    await remove(store, '/pods/x/a', 4);
    expect(await take(events, 3)).toEqual([
      'ADDED /pods/x/a red @2',
      'MODIFIED /pods/x/a blue @4',
      'DELETED /pods/x/a blue @5',
    ]);
  });

  it('cost the store nothing while there are none, and whoever comes after the last has left misses nothing', async () => {
    const { store, watch } = await opened({ bookmarkMillis: 5 });
    let open = 0;
    const original = store.watch.bind(store);
    store.watch = (prefix, after) => {
      const made = original(prefix, after);
      open += 1;
      return Object.assign(Object.create(made), {
        requestProgress: () => made.requestProgress(),
        [Symbol.asyncIterator]: () => made[Symbol.asyncIterator](),
        [Symbol.asyncDispose]: () => {
          open -= 1;
          return made[Symbol.asyncDispose]();
        },
      });
    };
    await create(store, '/pods/x/a', 'red');
    expect(open).toBe(0);
    for (let round = 0; round < 3; round += 1) {
      const leaving = new AbortController();
      const events = [1, 2].map(() => watch({ from: { after: 'now' }, signal: leaving.signal }));
      await create(store, `/pods/y/${round}`, 'red');
      for (const one of events)
        expect(await take(one, 1)).toMatchObject([expect.stringContaining(`/pods/y/${round} red`)]);
      expect(open).toBe(1);
      leaving.abort();
      await expect.poll(() => open).toBe(0);
      await create(store, `/pods/z/${round}`, 'red');
    }
    const seen = await take(watch({ from: { after: 2 } }), 6);
    expect(seen.map((line) => line.split(' ')[1])).toEqual([0, 1, 2].flatMap((n) => [`/pods/y/${n}`, `/pods/z/${n}`]));
  });

  it('begin in the past, from what this cache remembers', async () => {
    const { store, watch } = await opened();
    for (const name of ['a', 'b', 'c']) await create(store, `/pods/x/${name}`, 'red');
    expect(await take(watch({ from: { after: 3 } }), 1)).toEqual(['ADDED /pods/x/c red @4']);
  });

  it('begin before what this cache remembers, from the log of the store', async () => {
    const { store, open, watch } = await opened();
    for (const name of ['a', 'b', 'c']) await create(store, `/pods/x/${name}`, 'red');
    await using later = await open();
    const events = watch({ from: { after: 2 } }, later);
    expect(await take(events, 2)).toEqual(['ADDED /pods/x/b red @3', 'ADDED /pods/x/c red @4']);
    await create(store, '/pods/x/d', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/d red @5']);
  });

  it('begin now, and see nothing of what was', async () => {
    const { store, watch } = await opened();
    await create(store, '/pods/x/a', 'red');
    const events = watch({ from: { after: 'now' } });
    await create(store, '/pods/x/b', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/b red @3']);
  });

  it('of a small history lose nothing and repeat nothing', async () => {
    const { store, watch } = await opened({ history: { events: 3, bytes: 1_000 } });
    for (let index = 0; index < 20; index += 1) await create(store, `/pods/x/${index}`, 'red');
    const events = watch({ from: { after: 1 } });
    const writing = Promise.all(Array.from({ length: 20 }, (_, index) => create(store, `/pods/y/${index}`, 'red')));
    const revisions = (await take(events, 40)).map((event) => Number(event.split('@')[1]));
    await writing;
    expect(revisions).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
  });

  it('from what was compacted are refused in the words of kube-apiserver', async () => {
    const { store, open, watch } = await opened();
    for (const name of ['a', 'b', 'c']) await create(store, `/pods/x/${name}`, 'red');
    await store.compact(4);
    await using later = await open();
    await expect(watch({ from: { after: 2 } }, later).next()).rejects.toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'too old resource version: 2 (4)',
    });
  });

  it('of one namespace see nothing of another', async () => {
    const { store, watch } = await opened();
    const events = watch({ prefix: '/pods/y/' });
    await create(store, '/pods/x/a', 'red');
    await create(store, '/pods/y/a', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/y/a red @3']);
  });

  it('with a selector see what comes into their sight as added and what leaves it as deleted, as it was', async () => {
    const { store, watch } = await opened();
    const events = watch({ selects: ({ labels }) => labels['app'] === 'red' });
    await create(store, '/pods/x/a', 'blue');
    await update(store, '/pods/x/a', 'red', 2);
    await update(store, '/pods/x/a', 'red again', 3);
    await update(store, '/pods/x/a', 'blue', 4);
    await remove(store, '/pods/x/a', 5);
    await create(store, '/pods/x/b', 'red');
    expect(await take(events, 4)).toEqual([
      'ADDED /pods/x/a red @3',
      'MODIFIED /pods/x/a red again @4',
      'DELETED /pods/x/a red again @5',
      'ADDED /pods/x/b red @7',
    ]);
  });

  it('of many watchers each event is written once', async () => {
    const { store, watch } = await opened();
    const watchers = Array.from({ length: 20 }, () => watch());
    await create(store, '/pods/x/once', 'red');
    for (const events of watchers) await take(events, 1);
    expect(written.filter((line) => line === 'ADDED /pods/x/once red @2')).toHaveLength(1);
  });
});

describe('watches that begin with what is there', () => {
  it('LIMIT-2: read large objects as they are taken, not all of them ahead', async () => {
    const prepared: string[] = [];
    const counting: Read = (key, value, revision) => {
      prepared.push(key);
      return read(key, value, revision);
    };
    const { store, watch } = await opened({ read: counting });
    for (const name of ['a', 'b', 'c', 'd']) await create(store, `/pods/x/${name}`, `red ${'x'.repeat(600_000)}`);
    const events = watch({ from: { state: 'bookmarked' } });
    await take(events, 1);
    expect(prepared).toEqual(['/pods/x/a', '/pods/x/b']);
    expect((await take(events, 4)).map((event) => event.slice(0, 15))).toEqual([
      'ADDED /pods/x/b',
      'ADDED /pods/x/c',
      'ADDED /pods/x/d',
      'BOOKMARK @5 end',
    ]);
  });

  it('deliver the initial list as ADDED, then the initial-events-end bookmark, then new events', async () => {
    const { store, watch } = await opened();
    await create(store, '/pods/x/a', 'red');
    await create(store, '/pods/x/b', 'red');
    await remove(store, '/pods/x/b', 3);
    const events = watch({ from: { state: 'bookmarked' } });
    expect(await take(events, 2)).toEqual(['ADDED /pods/x/a red @2', 'BOOKMARK @4 end']);
    await update(store, '/pods/x/a', 'blue', 2);
    expect(await take(events, 1)).toEqual(['MODIFIED /pods/x/a blue @5']);
  });

  it('send no bookmark without a request', async () => {
    const { store, watch } = await opened();
    await create(store, '/pods/x/a', 'red');
    const events = watch({ from: { state: 'plain' } });
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/a red @2']);
    await create(store, '/pods/x/b', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/b red @3']);
  });

  it('miss nothing though the state takes longer to read than the time until bookmarks', async () => {
    const { store, watch } = await opened({ bookmarkMillis: 2 });
    let turns = 0;
    const original = store.watch.bind(store);
    store.watch = (prefix, after) => {
      const made = original(prefix, after);
      return {
        requestProgress: () => {
          turns += 1;
          made.requestProgress();
        },
        [Symbol.asyncIterator]: () => made[Symbol.asyncIterator](),
        [Symbol.asyncDispose]: () => {
          turns += 1;
          return made[Symbol.asyncDispose]();
        },
      };
    };
    const range = store.range.bind(store);
    const given = Promise.withResolvers<void>();
    store.range = async (query) => {
      const page = await range(query);
      await given.promise;
      return page;
    };
    await create(store, '/pods/x/a', 'red');
    const events = watch({ from: { state: 'bookmarked' } });
    await expect.poll(() => turns).toBeGreaterThan(0);
    given.resolve();
    expect(await take(events, 2)).toEqual(['ADDED /pods/x/a red @2', 'BOOKMARK @2 end']);
    await create(store, '/pods/x/b', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/b red @3']);
  });

  it('are whole, however much there is and is written meanwhile', async () => {
    const { store, watch } = await opened({ history: { events: 10, bytes: 1_000 } });
    const write = (space: string) =>
      Promise.all(Array.from({ length: 1_200 }, (_, index) => create(store, `/pods/${space}/${index}`, 'red')));
    await write('x');
    const events = watch({ from: { state: 'bookmarked' } });
    const first = await take(events, 1);
    await write('y');
    const all = [...first, ...(await take(events, 2_400))];
    expect(all.filter((event) => event.startsWith('BOOKMARK'))).toEqual(['BOOKMARK @1201 end']);
    expect(new Set(all).size).toBe(2_401);
  });
});

describe('bookmarks', () => {
  it('send requested bookmarks with the progress of the store, without events of the resource', async () => {
    const { store, watch } = await opened({ bookmarkMillis: 5 });
    const [asked, silent] = [watch({ bookmarks: true }), watch()];
    await create(store, '/nodes/a', 'red');
    await expect.poll(async () => (await take(asked, 1))[0]).toBe('BOOKMARK @2');
    await create(store, '/pods/x/a', 'red');
    expect(await take(silent, 1)).toEqual(['ADDED /pods/x/a red @3']);
  });
});

describe('the end of watches', () => {
  it('one that is too slow is ended, others go on', async () => {
    const { store, watch } = await opened({ queueLimits: { events: 5, bytes: 1 << 20 } });
    const [slow, quick] = [watch(), watch()];
    await create(store, '/pods/x/0', 'red');
    for (const events of [slow, quick]) await take(events, 1);
    for (let index = 1; index < 10; index += 1) {
      await create(store, `/pods/x/${index}`, 'red');
      await take(quick, 1);
    }
    expect((await take(slow, 10)).at(-1)).toBe('end');
    await create(store, '/pods/x/last', 'red');
    expect(await take(quick, 1)).toEqual(['ADDED /pods/x/last red @12']);
  });

  it('LIMIT-2: one that leaves too many bytes waiting is ended, others go on', async () => {
    const { store, watch } = await opened({ queueLimits: { events: 1_000, bytes: 50_000 } });
    const [slow, quick] = [watch(), watch()];
    await create(store, '/pods/x/0', 'red');
    for (const events of [slow, quick]) await take(events, 1);
    for (let index = 1; index < 8; index += 1) {
      await create(store, `/pods/x/${index}`, `red ${'x'.repeat(10_000)}`);
      await take(quick, 1);
    }
    expect(await take(slow, 10)).toHaveLength(6);
    await create(store, '/pods/x/last', 'red');
    expect(await take(quick, 1)).toEqual(['ADDED /pods/x/last red @10']);
  });

  it('a watcher that leaves gets nothing more', async () => {
    const { watch } = await opened();
    const abort = new AbortController();
    const next = watch({ signal: abort.signal }).next();
    abort.abort();
    expect(await next).toMatchObject({ done: true });
  });

  it('what cannot be read ends them with an error, and later ones see what comes after it', async () => {
    const { store, watch } = await opened();
    const events = watch();
    await create(store, '/pods/x/a', 'unreadable');
    await expect(events.next()).rejects.toThrow('cannot be read');
    await create(store, '/pods/x/b', 'red');
    expect(await take(watch({ from: { after: 2 } }), 1)).toEqual(['ADDED /pods/x/b red @3']);
  });

  it('what the store cannot give ends them with its error, and later ones go on', async () => {
    const base = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
    await using store = encrypted(base, [{ name: 'key', secret: Buffer.alloc(32) }], ['/pods/']);
    await using cache = new WatchCache({ store, prefix: '/pods/', read, retryMillis: 1 });
    const watch = (after: number) =>
      cache
        .watch({ from: { after }, selects: () => true, bookmarks: false, signal: AbortSignal.timeout(1_000) })
        [Symbol.asyncIterator]();
    const events = watch(1);
    await create(base, '/pods/x/a', 'not encrypted');
    await expect(events.next()).rejects.toMatchObject({ fault: 'unreadable' });
    await create(store, '/pods/x/b', 'red');
    await expect.poll(() => take(watch(2), 1).catch(() => 'not yet')).toEqual(['ADDED /pods/x/b red @3']);
  });

  it('who begins while the store is not watched is ended, too, as what came meanwhile would be missed', async () => {
    const base = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
    await using store = encrypted(base, [{ name: 'key', secret: Buffer.alloc(32) }], ['/pods/']);
    await using cache = new WatchCache({ store, prefix: '/pods/', read, retryMillis: 1 });
    const signal = new AbortController().signal;
    const watch = (after: number) =>
      cache.watch({ from: { after }, selects: () => true, bookmarks: false, signal })[Symbol.asyncIterator]();
    const events = watch(1);
    await create(store, '/pods/x/a', 'red');
    expect(await take(events, 1)).toEqual(['ADDED /pods/x/a red @2']);
    // The cache reads the version before it watches again.
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const revision = store.revision.bind(store);
    store.revision = () => gate.then(revision);
    await create(base, '/pods/x/b', 'not encrypted');
    await expect(events.next()).rejects.toMatchObject({ fault: 'unreadable' });
    const meanwhile = take(watch(3), 1);
    await create(store, '/pods/x/c', 'missed');
    open();
    expect(await meanwhile).toEqual(['end']);
  });
});
