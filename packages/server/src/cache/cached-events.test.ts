import type { ItemForm } from '@fleet/cache/messages.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { podFeed, sampleColumns, sampleRow } from '@fleet/cache/testing/sample-objects.ts';
import { expect, it, onTestFinished } from 'vitest';
import { cachedEvents } from './cached-events.ts';
import { freshFeed } from './testing/fresh-feed.ts';

async function scene() {
  const shard = new MemoryShard({ limit: 64 * 1024 * 1024, segmentSize: 1024 * 1024, clock: () => 0 });
  onTestFinished(() => shard[Symbol.asyncDispose]());
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  const list = (position: string, keys: readonly string[], wentBack = false) => {
    using relist = writer.relist('row');
    relist.add(keys.map((key, index) => Buffer.from(sampleRow({ key, version: index + 1 }))));
    relist.commit(position, { wentBack });
  };
  const watched = async (version: string, form: ItemForm) => {
    const found = await shard.seqOf({ feed: podFeed.id, version });
    if (found.is !== 'seq') throw new Error(found.is);
    return cachedEvents({
      feed: freshFeed(shard, () => writer.position),
      after: found.seq,
      position: version,
      selection: {},
      form,
      signal: new AbortController().signal,
      until: () => () => {},
    });
  };
  return { writer, list, watched };
}

it('CACHE-13: a watch of Tables from before the columns changed is the member’s', async () => {
  const { writer, list, watched } = await scene();
  const table = { as: 'Table', includeObject: 'Metadata' } as const;
  writer.columns(sampleColumns);
  list('100', ['d/a']);
  writer.columns([...sampleColumns, { ...sampleColumns[0]!, name: 'Other' }]);
  list('200', ['d/a', 'd/b']);
  expect(await watched('100', table)).toBe('form');
  expect(await watched('200', table)).toBeTypeOf('object');
});

it('CACHE-5: a watch ends with 410 where its member has gone back: nobody has both versions in one stream', async () => {
  const { list, watched } = await scene();
  list('100', ['d/a', 'd/b']);
  const batches = await watched('100', { as: 'object', inList: false });
  if (typeof batches === 'string') throw new Error(batches);
  list('50', ['d/a'], true);
  await expect(Array.fromAsync(batches)).rejects.toMatchObject({ code: 410 });
});

it('LIMIT-3: long columns come once with all events of a batch, not with each of them', async () => {
  const { writer, list, watched } = await scene();
  const columns = [...sampleColumns, { ...sampleColumns[0]!, name: 'Other', description: 'x'.repeat(200_000) }];
  writer.columns(columns);
  list('100', []);
  const batches = await watched('100', { as: 'Table', includeObject: 'None' });
  if (typeof batches === 'string') throw new Error(batches);
  const added = Array.from({ length: 100 }, (_, index) => ({ key: `d/p${index}`, version: 101 + index }));
  writer.apply(
    added.map((sample) => ({ type: 'ADDED', item: Buffer.from(sampleRow(sample)) })),
    '200',
  );
  let [events, bytes] = [0, 0];
  for await (const batch of batches) {
    expect(batch.columns).toEqual(columns);
    for (const { line } of batch.events) bytes += line.length;
    events += batch.events.length;
    if (events === added.length) break;
  }
  expect(bytes).toBeLessThan(100_000);
});
