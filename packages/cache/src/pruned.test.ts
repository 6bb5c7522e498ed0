import { expect, it } from 'vitest';
import type { ItemForm } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed, type Sample, sampleColumns, sampleObject, sampleRow } from './testing/sample-objects.ts';

const whole: ItemForm = { as: 'object', inList: false };
const samples: Sample[] = ['d/a', 'd/b'].map((key, index) => ({ key, version: index + 1 }));

async function filled(prunesManagedFields: boolean) {
  const shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
  await shard.want({ feeds: [{ ...podFeed, prunesManagedFields }] });
  const writer = shard.writer(podFeed.id)!;
  writer.columns(sampleColumns);
  const list = (position: string) => {
    using relist = writer.relist('row');
    relist.add(samples.map((sample) => Buffer.from(sampleRow(sample))));
    relist.commit(position);
  };
  list('10');
  const read = async (form: ItemForm) => {
    const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1, limit: 1 });
    if (page.is !== 'page') throw new Error(page.is);
    return JSON.parse(Buffer.from(page.chunk).toString());
  };
  return { shard, writer, list, read, [Symbol.asyncDispose]: () => shard[Symbol.asyncDispose]() };
}

const withoutManagedFields = (text: string) => {
  const { metadata, ...object } = JSON.parse(text);
  const { managedFields: _, ...kept } = metadata;
  return { ...object, metadata: kept };
};

it('CACHE-6: pruned managedFields are dropped, everything else is kept', async () => {
  await using pruned = await filled(true);
  const expected = withoutManagedFields(sampleObject(samples[0]!));
  expect(await pruned.read(whole)).toEqual(expected);
  const row = await pruned.read({ as: 'Table', includeObject: 'Metadata' });
  expect(row).toMatchObject({ cells: ['a', 'Running'], object: { kind: 'PartialObjectMetadata' } });
  expect(row.object.metadata).toEqual(expected.metadata);
  expect((await pruned.shard.stat()).managedFields).toBe(0);

  await using kept = await filled(false);
  expect(await kept.read(whole)).toEqual(JSON.parse(sampleObject(samples[0]!)));
  expect((await kept.shard.stat()).managedFields).toBeGreaterThan(0);
});

it('CACHE-6: unchanged objects of a new list are recognised, and changed ones are not', async () => {
  await using pruned = await filled(true);
  const { live } = await pruned.shard.stat();
  pruned.list('20');
  expect((await pruned.shard.stat()).live).toBe(live);
  pruned.writer.apply([{ type: 'MODIFIED', item: Buffer.from(sampleRow({ key: 'd/a', version: 30 })) }], '30');
  expect((await pruned.read(whole)).metadata).toMatchObject({ resourceVersion: '30' });
});
