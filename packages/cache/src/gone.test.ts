import { expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { podFeed, type Sample, sampleObject } from './testing/sample-objects.ts';

const bytesOf = (sample: Sample, deletionTimestamp?: string | null): Buffer => {
  const object = JSON.parse(sampleObject(sample));
  const going = deletionTimestamp === undefined ? {} : { deletionTimestamp };
  return Buffer.from(JSON.stringify({ ...object, metadata: { ...object.metadata, ...going } }));
};

it('CACHE-7: an object is gone when its stream shows its deletion, another of its name, or a deletionTimestamp', async () => {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000 });
  await shard.want({ feeds: [podFeed] });
  const feed = shard.writer(podFeed.id)!;
  expect(feed.known('d/a')).toBeUndefined();
  // What is not filled yet shows nothing.
  expect(feed.hasGone('d/a', 'uid-d/a')).toBe(false);
  {
    using relist = feed.relist('object');
    relist.add(['d/a', 'd/b', 'd/c'].map((key) => bytesOf({ key, version: 1 })));
    relist.add([bytesOf({ key: 'd/d', version: 1 }, null)]);
    relist.commit('10');
  }
  const gone = () => ['d/a', 'd/b', 'd/c', 'd/d'].filter((key) => feed.hasGone(key, `uid-${key}`));
  expect(feed.known('d/a')).toEqual({ uid: 'uid-d/a', version: '1' });
  expect(gone()).toEqual([]);
  expect(feed.hasGone('d/a', 'another')).toBe(true);
  feed.apply([{ type: 'DELETED', item: bytesOf({ key: 'd/a', version: 11 }) }], '11');
  expect(gone()).toEqual(['d/a']);
  feed.apply([{ type: 'MODIFIED', item: bytesOf({ key: 'd/b', version: 12 }, '2026-01-01T00:00:00Z') }], '12');
  expect(gone()).toEqual(['d/a', 'd/b']);
  feed.apply([{ type: 'ADDED', item: bytesOf({ key: 'd/c', version: 13, uid: 'new' }) }], '13');
  expect(gone()).toEqual(['d/a', 'd/b', 'd/c']);
});
