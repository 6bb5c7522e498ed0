import { setImmediate as turn } from 'node:timers/promises';
import type { Page, Shard } from '@fleet/cache/messages.ts';
import { expect, it } from 'vitest';
import { type CachedListAsk, openCachedList } from './cached-list.ts';
import { SharedStreams } from './shared-streams.ts';

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
    events: unexpected,
    seqOf: unexpected,
    stat: unexpected,
    states: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const askOf = (shard: Shard, isShapeKnown = () => true): CachedListAsk => ({
  feed: {
    id: 'm1 pods',
    shard,
    streams: new SharedStreams(shard),
    apiVersion: 'v1',
    listKind: 'PodList',
    endsWithVersion: false,
    areFieldsKnown: () => true,
    isShapeKnown,
    isPruned: false,
    isFresh: () => true,
    position: () => '10',
    staleSince: () => undefined,
    isLeaving: () => false,
  },
  read: { at: 'now', form: { as: 'object', inList: true } },
  limit: undefined,
  goOnLive: unexpected,
  warning: undefined,
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
