import { expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleColumns, sampleObject } from './testing/sample-objects.ts';

const row = (status: string, age = '5m') =>
  Buffer.from(`{"cells":["p","${status}","${age}"],"object":${sampleObject({ key: 'd/p', version: 1 })}}`);
const columns = [...sampleColumns, { name: 'Age', type: 'string', format: '', description: '', priority: 0 }];

it('CACHE-17: a relist brings the cells of objects that have not changed: a printer column may read another field', async () => {
  await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
  await shard.want({ feeds: [podFeed] });
  const writer = shard.writer(podFeed.id)!;
  const list = (item: Buffer, position: string): void => {
    writer.columns(columns);
    using relist = writer.relist('row');
    relist.add([item]);
    relist.commit(position);
  };
  const printed = async () => {
    const form = { as: 'Table', includeObject: 'None' } as const;
    const page = await shard.read({ feed: podFeed.id, at: 'now', form, bytes: 1e6 });
    if (page.is !== 'page') throw new Error(page.is);
    return Buffer.from(page.chunk).toString();
  };
  list(row('Old'), '10');
  expect(await printed()).toContain('"Old"');
  // What is unchanged is not stored again, though its age is another one.
  expect(writer.hasOtherCells(row('Old', '6m'))).toBe(false);
  expect(writer.hasOtherCells(row('New'))).toBe(true);
  list(row('New'), '20');
  expect(await printed()).toContain('"New"');
  expect(await shard.seqOf({ feed: podFeed.id, version: '10' })).toEqual({ is: 'seq', seq: writer.table!.seq });
});
