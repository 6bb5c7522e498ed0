import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemForm, Page, ReadAsk } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed, type Sample, sampleColumns, sampleObject, sampleRow } from './testing/sample-objects.ts';

const form = { as: 'object', inList: true } as const;
const count = 1_000;

/** A shard of many pods whose clock moves by `perLook` milliseconds with each look at it. */
async function scene(perLook: number, padding = 0) {
  let looks = 0;
  const shard = new MemoryShard({
    limit: 64 * 1024 * 1024,
    segmentSize: 1024 * 1024,
    history: { milliseconds: 60_000, events: 10_000 },
    clock: () => perLook * looks++,
  });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  const sample = (index: number, version: number): Sample => ({ key: `d/p${1e6 + index}`, version, padding });
  {
    using relist = writer.relist('row');
    relist.add(Array.from({ length: count }, (_, index) => Buffer.from(sampleRow(sample(index, 0)))));
    relist.commit('10');
  }
  const read = async (ask: Partial<ReadAsk> = {}): Promise<Page> => {
    const answer = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1e8, ...ask });
    if (answer.is !== 'page') throw new Error(`answered ${answer.is}`);
    return answer;
  };
  const pages = async (ask: Partial<ReadAsk>): Promise<Page[]> => {
    const all = [await read(ask)];
    for (let next = all[0]!.next; next !== undefined; next = all.at(-1)!.next)
      all.push(await read({ ...ask, after: next }));
    return all;
  };
  const modifyAll = (version: number): void =>
    writer.apply(
      Array.from({ length: count }, (_, index) => ({
        type: 'MODIFIED' as const,
        item: Buffer.from(sampleRow(sample(index, version + index))),
      })),
      String(version + count),
    );
  return { shard, read, pages, modifyAll };
}

const itemsIn = (pages: readonly Page[]): number => pages.reduce((sum, { ends }) => sum + ends.length, 0);

describe('LIMIT-3: a page ends when its time is up, with or without a result', () => {
  it('a search that finds nothing', async () => {
    const { pages } = await scene(10);
    const all = await pages({ selection: { labelSelector: 'app=none' } });
    expect(itemsIn(all)).toBe(0);
    expect(all.length).toBeGreaterThanOrEqual(count / 64);
    expect(all.length).toBeLessThan(count / 16);
  });

  it('a search in the objects themselves, by their size', async () => {
    const selection = { fieldSelector: 'status.podIP=1.2.3.4' };
    const small = await (await scene(10)).pages({ selection });
    const large = await (await scene(10, 4_000)).pages({ selection });
    expect(itemsIn(small) + itemsIn(large)).toBe(0);
    expect(large.length).toBeGreaterThanOrEqual(count / 4);
    expect(small.length).toBeLessThan(large.length / 2);
  });

  it('all items, of which none is lost', async () => {
    const { pages } = await scene(30);
    const all = await pages({});
    expect(all.length).toBeGreaterThan(10);
    expect(itemsIn(all)).toBe(count);
    expect(all.map(({ left = 0, ends }) => left + ends.length)).toEqual([
      count,
      ...all.slice(0, -1).map(({ left }) => left),
    ]);
  });

  it('not before', async () => {
    const { pages } = await scene(0);
    expect(await pages({ selection: { fieldSelector: 'status.podIP=1.2.3.4' } })).toHaveLength(1);
  });
});

const large = 40_000;
const large20 = Array.from({ length: 20 }, (_, index) => ({
  key: `d/p${10 + index}`,
  version: index + 1,
  padding: large,
}));
const restarts = [sampleColumns[0]!, { ...sampleColumns[1]!, name: 'Restarts' }];
/** The age of its last restart is not the object's own, so it is read from the object. */
const restartedRow = (sample: Sample): Buffer =>
  Buffer.from(`{"cells":["${sample.key.split('/')[1]}","3 (5m ago)"],"object":${sampleObject(sample)}}`);

/** A shard of pods that have restarted. Its clock moves by 30 ms with each look: more than a page may take. */
async function restarted(samples: readonly Sample[]) {
  let looks = 0;
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024, clock: () => 30 * looks++ });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  writer.columns(restarts);
  {
    using relist = writer.relist('row');
    relist.add(samples.map(restartedRow));
    relist.commit('50');
  }
  return { shard, writer };
}

const forms: ItemForm[] = [
  { as: 'Table', includeObject: 'None' },
  { as: 'Table', includeObject: 'Metadata' },
  { as: 'Table', includeObject: 'Object' },
  { as: 'PartialObjectMetadata' },
  form,
];

describe.each([{}, { labelSelector: '!x' }])(
  'LIMIT-3: the clock is read after each large object, selected by %o',
  (selection) => {
    it.each(forms)('in a page as $as $includeObject', async (as) => {
      const { shard } = await restarted(large20);
      const found: number[] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page = await shard.read({ feed: podFeed.id, at: 'now', after, selection, form: as, bytes: 1e8 });
        if (page.is !== 'page') throw new Error(`answered ${page.is}`);
        found.push(page.ends.length);
        after = page.next;
      }
      expect(found).toEqual(large20.map(() => 1));
    });

    it.each(forms)('in a batch of events as $as $includeObject', async (as) => {
      const { shard, writer } = await restarted([]);
      const empty = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
      if (empty.is !== 'page') throw new Error(`answered ${empty.is}`);
      writer.apply(
        large20.map((sample) => ({ type: 'ADDED', item: restartedRow(sample) })),
        '60',
      );
      const found: number[] = [];
      for (let after = empty.seq; after < empty.seq + large20.length; ) {
        const batch = await shard.events({ feed: podFeed.id, after, selection, form: as, bytes: 1e8 });
        if (batch.is !== 'events') throw new Error(`answered ${batch.is}`);
        found.push(batch.types.length);
        after = batch.seq;
      }
      expect(found).toEqual(large20.map(() => 1));
    });
  },
);

it('LIMIT-3: the clock is read after an event that is not shown, if the object before it was large', async () => {
  const { shard, writer } = await restarted(large20);
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(`answered ${page.is}`);
  writer.apply(
    large20.map(({ key, version }) => ({ type: 'MODIFIED', item: restartedRow({ key, version: version + 50 }) })),
    '80',
  );
  let batches = 0;
  for (let after = page.seq; after < page.seq + large20.length; batches++) {
    const selection = { fieldSelector: 'status.podIP=1.2.3.4' };
    const batch = await shard.events({ feed: podFeed.id, after, selection, form, bytes: 1e8 });
    if (batch.is !== 'events') throw new Error(`answered ${batch.is}`);
    expect(batch.types).toEqual([]);
    after = batch.seq;
  }
  expect(batches).toBe(large20.length);
});

it('LIMIT-3: a batch of events ends when its time is up, and the next continues after it', async () => {
  const { shard, read, modifyAll } = await scene(10);
  let { seq: after } = await read({ limit: 1 });
  const until = after + count;
  modifyAll(1_000);
  let batches = 0;
  for (; after < until; batches++) {
    const selection = { fieldSelector: 'status.podIP=1.2.3.4' };
    const answer = await shard.events({ feed: podFeed.id, after, selection, form, bytes: 1e8 });
    if (answer.is !== 'events') throw new Error(`answered ${answer.is}`);
    expect(answer.types).toEqual([]);
    expect(answer.seq).toBeGreaterThan(after);
    after = answer.seq;
  }
  expect(batches).toBeGreaterThanOrEqual(count / 32);
});

it('LIMIT-3: a state that is too many events back is read from the member', async () => {
  const { shard, read, modifyAll } = await scene(0);
  const { seq } = await read({ limit: 1 });
  for (let round = 1; round <= 6; round++) modifyAll(round * count);
  const at = async (state: number) => (await shard.read({ feed: podFeed.id, at: state, form, bytes: 1 })).is;
  expect([await at(seq), await at(seq + 999), await at(seq + 1_000)]).toEqual(['floor', 'floor', 'page']);
  expect((await shard.events({ feed: podFeed.id, after: seq, form, bytes: 1 })).is).toBe('events');
});
