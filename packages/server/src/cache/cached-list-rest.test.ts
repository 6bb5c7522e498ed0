import type { Floor, Page, Shard } from '@fleet/cache/messages.ts';
import { expect, it, vi } from 'vitest';
import { openCachedList } from './cached-list.ts';
import { freshFeed } from './testing/fresh-feed.ts';

const twoItems: Page = {
  is: 'page',
  seq: 1,
  position: '10',
  chunk: Buffer.from('{}{}'),
  ends: new Uint32Array([2, 4]),
  next: 'd/c',
};

it.each([
  [5, 3],
  [undefined, undefined],
])(
  'PAGE-1: of a page of %s whose state leaves the history only what is left of it is read from the member',
  async (limit, left) => {
    const answers: (Page | Floor)[] = [twoItems, { is: 'floor' }];
    const shard = { read: async () => answers.shift()! } as unknown as Shard;
    const continueLive = vi.fn(async (_token: string, _limit: number | undefined) => ({
      is: 'list' as const,
      head: {},
      items: (async function* () {
        yield [Buffer.from('{"a":1}')];
      })(),
      end: () => ({ metadata: { resourceVersion: '10' } }),
      warning: undefined,
    }));
    const list = await openCachedList({
      feed: freshFeed(shard, () => '10'),
      read: { at: 'now', form: { as: 'object', inList: true } },
      limit,
      continueLive,
      warning: undefined,
      signal: new AbortController().signal,
    });
    if (typeof list === 'string') throw new Error(list);
    expect((await Array.fromAsync(list.items)).flat().map(String)).toEqual(['{}', '{}', '{"a":1}']);
    expect(continueLive.mock.calls.map(([, asked]) => asked)).toEqual([left]);
  },
);
