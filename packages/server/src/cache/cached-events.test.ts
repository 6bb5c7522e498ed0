import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, sampleColumns, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import { expect, it, onTestFinished } from 'vitest';
import { cachedEvents } from './cached-events.ts';
import { SharedStreams } from './shared-streams.ts';

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
        streams: new SharedStreams(shard),
        apiVersion: 'v1',
        listKind: 'PodList',
        endsWithVersion: false,
        areFieldsKnown: () => true,
        isPruned: false,
        isFresh: () => true,
        position: () => writer.position,
        staleSince: () => undefined,
        isLeaving: () => false,
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
  expect(await watched('100')).toBe('form');
  expect(await watched('200')).toBeTypeOf('object');
});
