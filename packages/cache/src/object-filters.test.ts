import { expect, it, onTestFinished, vi } from 'vitest';
import { Interned } from './interned.ts';
import { ObjectFilter } from './object-filter.ts';
import { ObjectFilters } from './object-filters.ts';
import { MemoryShard } from './shard.ts';
import { StoredObjects } from './stored-objects.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const watches = 1_000;

function scene() {
  const objects = new StoredObjects({ segmentSize: 1e6, reserve: () => {} });
  const memos = { made: vi.spyOn(objects.labels, 'memo'), dropped: vi.spyOn(objects.labels, 'forget') };
  const filters = new ObjectFilters(objects);
  const filter = (labelSelector: string, use: 'events' | 'page') => {
    const found = filters.of(podFeed, { labelSelector }, use);
    if (!(found instanceof ObjectFilter)) throw new Error(`no filter of ${labelSelector}`);
    return found;
  };
  const kept = () => memos.made.mock.calls.length - memos.dropped.mock.calls.length;
  return { filter, memos, kept };
}

const numbers = Array.from({ length: watches }, (_, number) => number);

it('LIMIT-3: the selectors of a thousand watches are parsed once, not with each event', () => {
  const { filter, memos } = scene();
  const first = numbers.map((number) => filter(`app=a${number}`, 'events'));
  expect(numbers.every((number) => filter(`app=a${number}`, 'events') === first[number])).toBe(true);
  expect(memos.made).not.toHaveBeenCalled();
});

it('LIMIT-3: an event that a thousand watches see allocates no results by label set', async () => {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6 });
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  using relist = writer.relist('row');
  relist.commit('10');
  const form = { as: 'object', inList: false } as const;
  const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(`answered ${page.is}`);
  const made = vi.spyOn(Interned.prototype, 'memo');
  onTestFinished(() => made.mockRestore());
  writer.apply(
    [{ type: 'ADDED', item: Buffer.from(sampleRow({ key: 'd/a', version: 11, labels: { app: 'a1' } })) }],
    '11',
  );
  const seen = await Promise.all(
    numbers.map((number) => {
      const selection = { labelSelector: `app=a${number}` };
      return shard.events({ feed: podFeed.id, after: page.seq, selection, form, bytes: 1e6 });
    }),
  );
  expect(seen.filter((answer) => answer.is === 'events' && answer.types.length > 0)).toHaveLength(1);
  expect(made).not.toHaveBeenCalled();
});

it('pages keep results for the selectors that were read last, and drop the others', () => {
  const { filter, memos, kept } = scene();
  for (const number of numbers) filter(`app=a${number}`, 'page');
  expect(kept()).toBe(64);
  filter(`app=a${watches - 64}`, 'page');
  expect(memos.made).toHaveBeenCalledTimes(watches);
  filter('app=a0', 'page');
  expect([memos.made.mock.calls.length, kept()]).toEqual([watches + 1, 64]);
});

it.each([10, 1_000])('selectors are kept within a limit of their length: %i characters', (length) => {
  const { filter, kept } = scene();
  const text = (number: number) => `app in (a${number},${'x,'.repeat(length / 2)}y)`;
  const first = filter(text(0), 'page');
  const most = Math.floor((256 * 1024) / (length + 64));
  for (let number = 1; number <= most; number++) filter(text(number), 'events');
  expect(filter(text(most), 'events')).toBe(filter(text(most), 'events'));
  expect([filter(text(0), 'events') === first, kept()]).toEqual([false, 0]);
});

it('a selector that is longer than a part of that limit is not kept', () => {
  const { filter, kept } = scene();
  const text = `app in (${'x,'.repeat(10_000)}y)`;
  expect(filter(text, 'page')).not.toBe(filter(text, 'page'));
  expect(kept()).toBe(0);
});

it('LIMIT-3: a check costs by the length of the selectors', () => {
  const { filter } = scene();
  expect(filter('app=a', 'events').costOf(0)).toBeLessThan(2);
  expect(filter(Array.from({ length: 500 }, (_, number) => `!a${number}`).join(), 'events').costOf(0)).toBeGreaterThan(
    10,
  );
});
