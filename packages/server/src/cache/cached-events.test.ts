import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, sampleColumns, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import { expect, it, onTestFinished } from 'vitest';
import { cachedEvents } from './cached-events.ts';

it('CACHE-13: a watch of Tables from before the columns changed is the member’s', async () => {
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  const list = (position: string, keys: readonly string[]) => {
    using relist = writer.relist('row');
    relist.add(keys.map((key, index) => Buffer.from(sampleRow({ key, version: index + 1 }))));
    relist.commit(position);
  };
  const watched = async (version: string) => {
    const found = await shard.seqOf({ feed: podFeed.id, version });
    if (found.is !== 'seq') throw new Error(found.is);
    return cachedEvents({
      feed: {
        id: podFeed.id,
        shard,
        apiVersion: 'v1',
        listKind: 'PodList',
        endsWithVersion: false,
        isFresh: () => true,
        position: () => writer.position,
        staleSince: () => undefined,
      },
      after: found.seq,
      position: version,
      selection: {},
      form: { as: 'Table', includeObject: 'Metadata' },
      signal: new AbortController().signal,
      until: () => () => {},
    });
  };
  writer.columns(sampleColumns);
  list('100', ['d/a']);
  writer.columns([...sampleColumns, { ...sampleColumns[0]!, name: 'Other' }]);
  list('200', ['d/a', 'd/b']);
  expect(await watched('100')).toBeUndefined();
  expect(await watched('200')).toBeDefined();
});

it('CACHE-5: a watch ends with 410 where its member has gone back: nobody has both versions in one stream', async () => {
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  const list = (position: string, keys: readonly string[], wentBack: boolean) => {
    using relist = writer.relist('row');
    relist.add(keys.map((key, index) => Buffer.from(sampleRow({ key, version: index + 1 }))));
    relist.commit(position, { wentBack });
  };
  list('100', ['d/a', 'd/b'], false);
  const batches = await cachedEvents({
    feed: {
      id: podFeed.id,
      shard,
      apiVersion: 'v1',
      listKind: 'PodList',
      endsWithVersion: false,
      isFresh: () => true,
      position: () => writer.position,
      staleSince: () => undefined,
    },
    after: writer.table!.seq,
    position: '100',
    selection: {},
    form: { as: 'object', inList: false },
    signal: new AbortController().signal,
    until: () => () => {},
  });
  list('50', ['d/a'], true);
  await expect(Array.fromAsync(batches!)).rejects.toMatchObject({ code: 410 });
});
