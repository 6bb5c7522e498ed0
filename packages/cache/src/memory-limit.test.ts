import { expect, it } from 'vitest';
import { CacheFullError } from './feed-writer.ts';
import type { FeedState } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed, type Sample, sampleObject, sampleRow } from './testing/sample-objects.ts';

const other = { ...podFeed, id: 'm2 pods', cluster: 'm2' };
const form = { as: 'object', inList: false } as const;
const samples = (count: number, version = 1): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ key: `d/p${index}`, version: version + index, padding: 2_000 }));

/** Small segments, and memory for some hundred objects. */
const openShard = (now = Date.now) =>
  new MemoryShard({
    limit: 2_000_000,
    segmentSize: 50_000,
    history: { milliseconds: 1_000, events: 10 },
    now,
    clock: () => 0,
  });

function fill(shard: MemoryShard, feed: string, objects: readonly Sample[]): void {
  using relist = shard.writer(feed)!.relist('row');
  for (const sample of objects) relist.add([Buffer.from(sampleRow(sample))]);
  relist.commit('1000');
}

it('CACHE-18: a feed that does not fit is not served, and leaves the memory to others', async () => {
  await using shard = openShard();
  await shard.want({ feeds: [podFeed, other] });
  fill(shard, podFeed.id, samples(300));
  expect(() => fill(shard, other.id, samples(5_000))).toThrow(CacheFullError);
  const { promise, resolve } = Promise.withResolvers<readonly FeedState[]>();
  shard.states(resolve);
  const [first, second] = await promise;
  expect(first).toMatchObject({ filled: true, objects: 300 });
  expect(second).toMatchObject({ filled: false, objects: 0 });
  expect(second?.full?.objects).toBeGreaterThan(100);
  expect(await shard.read({ feed: other.id, at: 'now', form, bytes: 1 })).toEqual({ is: 'gone' });
  expect((await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 })).is).toBe('page');
  await shard.want({ feeds: [other] });
  await expect.poll(async () => (await shard.stat()).live).toBe(0);
  fill(shard, other.id, samples(300));
  expect((await shard.read({ feed: other.id, at: 'now', form, bytes: 1 })).is).toBe('page');
  expect(shard.writer(other.id)!.state).toMatchObject({ filled: true, objects: 300 });
  expect(shard.writer(other.id)!.state.full).toBeUndefined();
});

it('CACHE-18: an event that does not fit ends the feed, and its batch leaves nothing', async () => {
  await using shard = openShard();
  await shard.want({ feeds: [podFeed] });
  fill(shard, podFeed.id, samples(300));
  const writer = shard.writer(podFeed.id)!;
  const item = Buffer.from(sampleRow({ key: 'd/large', version: 2_000, padding: 3_000_000 }));
  const small = Buffer.from(sampleRow({ key: 'd/small', version: 1_999 }));
  const changes = [small, item].map((one) => ({ type: 'ADDED' as const, item: one }));
  expect(() => writer.apply(changes, '2000')).toThrow(CacheFullError);
  expect(writer.position).toBeUndefined();
  await expect.poll(() => shard.stat()).toMatchObject({ objects: 0, live: 0 });
});

it('freed memory is reused: endless updates take no more memory', async () => {
  let now = 0;
  await using shard = openShard(() => now);
  await shard.want({ feeds: [podFeed] });
  fill(shard, podFeed.id, samples(200));
  const writer = shard.writer(podFeed.id)!;
  for (let version = 2_000; version < 8_000; version++) {
    now += 10;
    const sample = { key: `d/p${version % 200}`, version, padding: 2_000 };
    writer.apply([{ type: 'MODIFIED', item: Buffer.from(sampleRow(sample)) }], String(version));
    if (version % 50 === 0) shard.maintain();
  }
  expect((await shard.stat()).bytes).toBeLessThan(2_000_000);
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1e7 });
  expect(page.is === 'page' && page.ends.length).toBe(200);
});

it('history: kept for its time, some events however old they are', async () => {
  let now = 0;
  await using shard = openShard(() => now);
  await shard.want({ feeds: [podFeed] });
  fill(shard, podFeed.id, []);
  const writer = shard.writer(podFeed.id)!;
  const seq = async () => {
    const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
    return page.is === 'page' ? page.seq : -1;
  };
  const first = await seq();
  for (let version = 2_000; version < 2_030; version++) {
    writer.apply([{ type: 'ADDED', item: Buffer.from(sampleRow({ key: `d/p${version}`, version })) }], String(version));
  }
  const readAt = async (at: number) => (await shard.read({ feed: podFeed.id, at, form, bytes: 1 })).is;
  expect(await readAt(first)).toBe('page');
  now = 1_001;
  shard.maintain();
  expect(await readAt(first + 19)).toBe('floor');
  expect(await readAt(first + 20)).toBe('page');
  expect(await seq()).toBe(first + 30);
});

it('CACHE-18: history takes about a tenth of the memory, whatever the number of its events', async () => {
  await using shard = openShard(() => 0);
  await shard.want({ feeds: [podFeed] });
  fill(shard, podFeed.id, [{ key: 'd/p', version: 1 }]);
  const writer = shard.writer(podFeed.id)!;
  for (let version = 2_000; version < 2_030; version++) {
    const item = Buffer.from(sampleRow({ key: 'd/p', version, padding: 40_000 }));
    writer.apply([{ type: 'MODIFIED', item }], String(version));
    shard.maintain();
  }
  const { history } = await shard.stat();
  expect(history).toBeGreaterThan(150_000);
  expect(history).toBeLessThanOrEqual(250_000);
});

it('a discarded list leaves nothing', async () => {
  await using shard = openShard();
  await shard.want({ feeds: [podFeed] });
  {
    using relist = shard.writer(podFeed.id)!.relist('row');
    relist.add(samples(10).map((sample) => Buffer.from(sampleRow(sample))));
  }
  await expect.poll(async () => (await shard.stat()).live).toBe(0);
  await shard.want({ feeds: [] });
  expect((await shard.stat()).feeds).toBe(0);
});

it('CACHE-18: deletions succeed in a full cache, and watches see them with the version of the event', async () => {
  await using shard = openShard(() => 0);
  await shard.want({ feeds: [podFeed] });
  fill(shard, podFeed.id, samples(300));
  const writer = shard.writer(podFeed.id)!;
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(`answered ${page.is}`);
  const deleted = (key: string, version: number) => ({
    type: 'DELETED' as const,
    // Larger than all the memory: it fits nowhere.
    item: Buffer.from(sampleRow({ key, version, padding: 3_000_000 })),
  });
  const added = { type: 'ADDED' as const, item: Buffer.from(sampleRow({ key: 'd/new', version: 2_000 })) };
  const changes = [added, deleted('d/p7', 2_001), deleted('d/new', 2_002), deleted('d/never', 2_003)];
  writer.apply(changes, '2003');
  expect(await shard.stat()).toMatchObject({ objects: 299 });
  const events = await shard.events({ feed: podFeed.id, after: page.seq, form, bytes: 1e7 });
  if (events.is !== 'events') throw new Error(`answered ${events.is}`);
  expect(events).toMatchObject({
    types: ['ADDED', 'DELETED', 'DELETED'],
    versions: ['2000', '2001', '2002'],
    position: '2003',
    resumable: true,
  });
  const text = Buffer.from(events.chunk).toString('utf8', events.ends[0], events.ends[1]);
  expect(text).toBe(
    sampleObject({ ...samples(8)[7]!, version: 8 }).replace('"resourceVersion":"8"', '"resourceVersion":"2001"'),
  );
  expect((await shard.seqOf({ feed: podFeed.id, version: '2001' })).is).toBe('seq');
  await shard.want({ feeds: [] });
  await expect.poll(async () => (await shard.stat()).live).toBe(0);
});
