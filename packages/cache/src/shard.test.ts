import { expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { describeShard } from './testing/contract.ts';
import type { ShardUnderTest } from './testing/contract-context.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const megabyte = 1024 * 1024;

async function openShard(): Promise<ShardUnderTest> {
  const shard = new MemoryShard({ limit: 64 * megabyte, segmentSize: megabyte, clock: () => 0 });
  const writer = (id: string) => shard.writer(id)!;
  return {
    shard,
    columns: async (id, columns) => writer(id).columns(columns),
    list: async (id, items, position, wentBack = false) => {
      using relist = writer(id).relist(items[0]?.startsWith('{"cells"') ? 'row' : 'object');
      relist.add(items.map((item) => Buffer.from(item)));
      relist.commit(position, { wentBack });
    },
    apply: async (id, changes, position) =>
      writer(id).apply(
        changes.map(({ type, item }) => ({ type, item: Buffer.from(item) })),
        position,
      ),
    [Symbol.asyncDispose]: () => shard[Symbol.asyncDispose](),
  };
}

describeShard('in this thread', openShard);

it('CACHE-4: a feed is filled again if its spec changes, and left unchanged otherwise', async () => {
  const calls: string[] = [];
  await using shard = new MemoryShard({
    limit: megabyte,
    segmentSize: megabyte,
    fill: ({ id, kind }) => {
      calls.push(`begin ${id} ${kind}`);
      return { [Symbol.dispose]: () => void calls.push(`end ${id} ${kind}`) };
    },
  });
  const spec = { ...podFeed, id: 'a', kind: 'A', selectableFields: ['x'] };
  const filledAnew = async (feeds: (typeof spec)[]) => {
    calls.length = 0;
    await shard.want({ feeds });
    return [...calls];
  };
  expect(await filledAnew([spec])).toEqual(['begin a A']);
  expect(await filledAnew([spec, { ...spec, id: 'b' }])).toEqual(['begin b A']);
  expect(await filledAnew([structuredClone(spec), { ...spec, id: 'b' }])).toEqual([]);
  expect(await filledAnew([{ ...spec, selectableFields: ['y'] }])).toEqual(['end a A', 'end b A', 'begin a A']);
  expect(await filledAnew([{ ...spec, selectableFields: ['y'], kind: 'B' }])).toEqual(['end a A', 'begin a B']);
});

it('WATCH-6: a state of a dropped feed is not a state of the feed that is filled again', async () => {
  await using shard = new MemoryShard({ limit: 64 * megabyte, segmentSize: megabyte });
  const form = { as: 'object', inList: false } as const;
  const change = (version: number) => {
    const item = Buffer.from(sampleRow({ key: 'd/a', version }));
    shard.writer(podFeed.id)!.apply([{ type: 'MODIFIED', item }], String(version));
  };
  const fill = async (): Promise<void> => {
    await shard.want({ feeds: [podFeed] });
    using relist = shard.writer(podFeed.id)!.relist('row');
    relist.commit('1');
  };
  await fill();
  for (let version = 2; version < 6; version++) change(version);
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(page.is);
  await shard.want({ feeds: [] });
  await fill();
  for (let version = 12; version < 20; version++) change(version);
  expect(await shard.events({ feed: podFeed.id, after: page.seq, form, bytes: 1_000 })).toEqual({ is: 'floor' });
});
