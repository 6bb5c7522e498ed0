import { setImmediate as turn } from 'node:timers/promises';
import type { Page, Shard } from '@fleet/cache/messages.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CachedListAsk, openCachedList } from './cached-list.ts';
import { freshFeed } from './testing/fresh-feed.ts';

const unexpected = () => Promise.reject(new Error('not expected'));

/** Finds one item, behind so many pages without any; never waits for anything. */
function searchOf(emptyPages: number): Shard {
  let pages = 0;
  const page = { is: 'page', seq: 1, position: '10' } as const;
  return {
    read: async (): Promise<Page> =>
      pages++ < emptyPages
        ? { ...page, chunk: new Uint8Array(), ends: new Uint32Array(), next: `d/p${pages}` }
        : { ...page, chunk: Buffer.from('{}'), ends: new Uint32Array([2]) },
    want: unexpected,
    get: unexpected,
    has: unexpected,
    events: unexpected,
    seqOf: unexpected,
    stat: unexpected,
    states: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const askOf = (shard: Shard, isShapeKnown = () => true): CachedListAsk => ({
  feed: { ...freshFeed(shard, () => '10'), isShapeKnown },
  read: { at: 'now', form: { as: 'object', inList: true } },
  limit: undefined,
  continueLive: unexpected,
  warning: undefined,
  signal: new AbortController().signal,
});

it('CACHE-17: the first object that comes while a list is read shows that its form was only guessed', async () => {
  let isThere = false;
  const shard = searchOf(0);
  const read: Shard['read'] = (ask) => {
    isThere = true;
    return shard.read(ask);
  };
  expect(await openCachedList(askOf({ ...shard, read }, () => !isThere))).toBe('not-filled');
});

it.each([undefined, 500])(
  'LIMIT-3: a search leaves turns to others until it finds something (limit %s)',
  async (limit) => {
    let [turns, isOver] = [0, false];
    const others = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    const shard = searchOf(50);
    const list = await openCachedList({ ...askOf(shard), limit });
    if (typeof list === 'string') throw new Error(list);
    const items = (await Array.fromAsync(list.items)).flat().map(String);
    isOver = true;
    await others;
    expect(items).toEqual(['{}']);
    expect(list.end().metadata).toEqual({ resourceVersion: '10' });
    expect(turns).toBeGreaterThanOrEqual(50);
  },
);

describe('LIMIT-3: a search ends when its client leaves', () => {
  /** A search that finds nothing, in pages of a few objects each. */
  async function search() {
    let [looks, reads] = [0, 0];
    const shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, clock: () => looks++ });
    onTestFinished(() => shard[Symbol.asyncDispose]());
    await shard.want({ feeds: [podFeed] });
    using relist = shard.writer(podFeed.id)!.relist('row');
    relist.add(Array.from({ length: 5_000 }, (_, index) => Buffer.from(sampleRow({ key: `d/p${index}`, version: 1 }))));
    relist.commit('10');
    const read: Shard['read'] = (ask, signal) => {
      reads++;
      return shard.read(ask, signal);
    };
    const client = new AbortController();
    const { feed, ...rest } = askOf(Object.assign(Object.create(shard) as Shard, { read }));
    const selection = { fieldSelector: 'status.podIP=1.2.3.4' };
    const open = () => openCachedList({ ...rest, feed, read: { ...rest.read, selection }, signal: client.signal });
    return { open, client, reads: () => reads };
  }
  const left = new Error('the client has left');

  it('between two pages', async () => {
    const { open, client, reads } = await search();
    const list = await open();
    if (typeof list === 'string') throw new Error(list);
    const items = list.items[Symbol.asyncIterator]();
    const next = items.next();
    await turn();
    client.abort(left);
    await expect(next).rejects.toBe(left);
    expect(reads()).toBeLessThan(10);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it('before its first page', async () => {
    const { open, client } = await search();
    client.abort(left);
    await expect(open()).rejects.toBe(left);
  });
});
