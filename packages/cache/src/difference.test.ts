import { expect, it, onTestFinished } from 'vitest';
import { History } from './history.ts';
import type { Events } from './messages.ts';
import { MemoryShard } from './shard.ts';
import type { Work } from './sliced-work.ts';
import { StoredObjects } from './stored-objects.ts';
import { podFeed, type Sample, sampleRow } from './testing/sample-objects.ts';

const form = { as: 'object', inList: false } as const;
const rows = (samples: readonly Sample[]): Buffer[] => samples.map((sample) => Buffer.from(sampleRow(sample)));
const key = (index: number): string => `d/p${1_000 + index}`;
const first = Array.from({ length: 600 }, (_, index) => ({ key: key(index), version: index + 1 }));
/** Of each three one is kept, one modified and one deleted; some are made again, some are new. */
const second: Sample[] = [
  ...first.flatMap((sample, index) => [[sample], [{ ...sample, version: 1_000 + index }], []][index % 3]!),
  ...Array.from({ length: 50 }, (_, index) => ({ key: key(index * 3), version: 2_000 + index, uid: `again-${index}` })),
  ...Array.from({ length: 50 }, (_, index) => ({ key: key(600 + index), version: 3_000 + index })),
];

async function scene() {
  const shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, clock: () => 0 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  {
    using relist = writer.relist('row');
    relist.add(rows(first));
    relist.commit('700');
  }
  const read = async () => {
    const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1e7 });
    if (page.is !== 'page') throw new Error(`answered ${page.is}`);
    return page;
  };
  const events = async (after: number): Promise<Events> => {
    const answer = await shard.events({ feed: podFeed.id, after, form, bytes: 1e7 });
    if (answer.is !== 'events') throw new Error(`answered ${answer.is}`);
    return answer;
  };
  const isEmpty = async () => {
    await shard.want({ feeds: [] });
    await expect.poll(async () => (await shard.stat()).live).toBe(0);
  };
  return { shard, writer, read, events, isEmpty };
}

it('LIMIT-3: the difference is worked out in slices, and seen at once', async () => {
  const [sliced, whole] = [await scene(), await scene()];
  const before = await sliced.read();
  let slices = 1;
  {
    using relist = sliced.writer.relist('row');
    relist.add(rows(second));
    for (; relist.prepare!('4000', {}, () => true); slices++) expect(await sliced.read()).toEqual(before);
    expect(await sliced.read()).toEqual(before);
    relist.commit('4000');
  }
  expect(slices).toBeGreaterThanOrEqual(600 / 64);
  {
    using relist = whole.writer.relist('row');
    relist.add(rows(second));
    relist.commit('4000');
  }
  expect(await sliced.read()).toEqual(await whole.read());
  const shown = await sliced.events(before.seq);
  expect(shown.types).toHaveLength(200 + 200 + 2 * 50 + 50);
  expect(shown).toEqual(await whole.events(before.seq));
  await sliced.isEmpty();
});

it('LIMIT-3: a commit compares nothing if all is prepared', async () => {
  const { shard, writer } = await scene();
  using relist = writer.relist('row');
  relist.add(rows(second));
  relist.prepare!('4000', {}, () => false);
  // Another slice finds nothing to do, and does not look at the clock.
  const isTimeUp = (): boolean => {
    throw new Error('there was more to do');
  };
  expect(relist.prepare!('4000', {}, isTimeUp)).toBe(false);
  relist.commit('4000');
  expect(await shard.stat()).toMatchObject({ objects: 450 });
});

it('a prepared difference is computed again after an event', async () => {
  const { writer, read, events, isEmpty } = await scene();
  {
    using relist = writer.relist('row');
    relist.add(rows(second));
    relist.prepare!('4000', {}, () => true);
    writer.apply([{ type: 'DELETED', item: Buffer.from(sampleRow({ key: key(0), version: 701 })) }], '701');
    const { seq } = await read();
    relist.prepare!('3999', {}, () => true);
    relist.commit('4000');
    const shown = await events(seq);
    expect(shown).toMatchObject({ position: '4000', resumable: false });
    // The first was deleted before: it is only added.
    expect(shown.types).toHaveLength(200 + 200 + 2 * 50 + 50 - 1);
  }
  expect((await read()).ends).toHaveLength(450);
  await isEmpty();
});

it('CACHE-5: after a restore the same version may be of another change: objects are compared byte by byte', async () => {
  const { writer, read, events } = await scene();
  const before = await read();
  using relist = writer.relist('row');
  relist.add(rows(first.map((sample) => (sample.key === key(7) ? { ...sample, phase: 'Failed' } : sample))));
  // The member was restored, and has come further than it was before.
  relist.commit('4000', { wentBack: true });
  const { chunk, ends, types } = await events(before.seq);
  expect(types).toEqual(['MODIFIED']);
  expect(JSON.parse(Buffer.from(chunk).toString('utf8', 0, ends[0]))).toMatchObject({ status: { phase: 'Failed' } });
});

it('a list that is discarded after its preparation leaves nothing', async () => {
  const { writer, read, isEmpty } = await scene();
  const before = await read();
  {
    using relist = writer.relist('row');
    relist.add(rows(second));
    relist.prepare!('4000', {}, () => false);
  }
  expect(await read()).toEqual(before);
  await isEmpty();
});

it('LIMIT-3: records of a large difference are released in slices when it leaves the history', () => {
  const released: number[] = [];
  const objects = new StoredObjects({ segmentSize: 1_000, reserve: () => {} });
  objects.release = (id) => void released.push(id);
  objects.size = () => 1;
  const works: Work[] = [];
  const history = new History({ objects, historyBytes: { used: 0 }, later: (work) => works.push(work) }, 1, '1');
  for (let id = 0; id < 1_000; id++) {
    history.append({ seq: 2, type: 'MODIFIED', before: id, after: id, position: '2', differenceFrom: '1', time: 0 });
  }
  history.append({ seq: 3, type: 'MODIFIED', before: 1, after: 1, position: '3', time: 0 });
  history.dropOldest();
  expect({ floor: history.floor, length: history.length, released: released.length }).toEqual({
    floor: 2,
    length: 1,
    released: 0,
  });
  let slices = 1;
  while (works[0]!(() => true)) slices++;
  expect({ slices, released: released.length }).toEqual({ slices: 10, released: 2_000 });
  history.dropOldest();
  expect({ works: works.length, released: released.length }).toEqual({ works: 1, released: 2_002 });
});

it('LIMIT-3: the clock is read after each large object that is compared', async () => {
  const { writer } = await scene();
  const large = first.slice(0, 20).map((sample) => ({ ...sample, padding: 100_000 }));
  const listed = (columns: boolean) => {
    if (columns) writer.columns([]);
    const relist = writer.relist('row');
    relist.add(rows(large));
    return relist;
  };
  using before = listed(false);
  before.commit('800');
  // The rows have other columns, so they are stored again, and the equal objects are compared byte by byte.
  using relist = listed(true);
  let slices = 1;
  while (relist.prepare!('900', { wentBack: true }, () => true)) slices++;
  expect(slices).toBeGreaterThanOrEqual(large.length);
});
