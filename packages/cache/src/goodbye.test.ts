import { describe, expect, it } from 'vitest';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const feed = podFeed.id;
const form = { as: 'object', inList: false } as const;
const other = { ...podFeed, id: 'm2 pods', cluster: 'm2' };
const count = 1_200;

/** A feed whose cluster has just been removed, and a watch at its last state. */
async function removed() {
  let now = 0;
  const shard = new MemoryShard({
    limit: 2_000_000,
    segmentSize: 50_000,
    history: { milliseconds: 1_000, events: 10 },
    now: () => now,
  });
  await shard.want({ feeds: [podFeed, other] });
  const writer = shard.writer(feed)!;
  {
    using relist = writer.relist('row');
    relist.add(
      Array.from({ length: count }, (_, index) => Buffer.from(sampleRow({ key: `d/p${index}`, version: index + 1 }))),
    );
    relist.commit('5000');
  }
  const page = await shard.read({ feed, at: 'now', form, bytes: 1, limit: 1 });
  if (page.is !== 'page') throw new Error(page.is);
  await shard.want({ feeds: [other], goodbye: [feed] });
  const deleted = async (): Promise<number> => {
    let [after, skip, found] = [page.seq, 0, 0];
    for (;;) {
      const answer = await shard.events({ feed, after, skip, position: '5000', form, bytes: 100_000 });
      if (answer.is === 'goodbye') return found;
      if (answer.is !== 'events') throw new Error(answer.is);
      expect(new Set(answer.types)).toEqual(new Set(['DELETED']));
      found += answer.types.length;
      [after, skip] = [answer.seq, answer.skip];
    }
  };
  const later = (millis: number): void => {
    now += millis;
  };
  return { shard, writer, deleted, later };
}

describe('WATCH-5: the goodbye of a cluster that was removed', () => {
  it('is complete, whatever else is requested meanwhile', async () => {
    const { shard, deleted } = await removed();
    await using _ = shard;
    await shard.want({ feeds: [other, { ...other, id: 'm3 pods' }] });
    expect(await deleted()).toBe(count);
  });

  it('is kept complete, even beyond the limit of the history', async () => {
    const { shard, deleted, later } = await removed();
    await using _ = shard;
    expect(await deleted()).toBe(count);
    later(30_000);
    shard.maintain();
    expect(await deleted()).toBe(count);
    later(31_000);
    shard.maintain();
    await expect(deleted()).rejects.toThrow('gone');
  });

  it('has nothing in between, though its reflector still runs', async () => {
    const { shard, writer, deleted } = await removed();
    await using _ = shard;
    const item = Buffer.from(sampleRow({ key: 'd/late', version: 6_000 }));
    expect(() => writer.apply([{ type: 'ADDED', item }], '6000')).toThrow('removed');
    expect(() => writer.relist('row')).toThrow('removed');
    expect(await deleted()).toBe(count);
  });

  it('CACHE-6: leaves the history of other clusters as it is, however large it is itself', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    await shard.want({ feeds: [podFeed, other] });
    for (const [id, objects] of [
      [feed, 3_000],
      [other.id, 10],
    ] as const) {
      using relist = shard.writer(id)!.relist('row');
      const row = (index: number) => sampleRow({ key: `d/p${index}`, version: index + 1, padding: 1_000 });
      relist.add(Array.from({ length: objects }, (_, index) => Buffer.from(row(index))));
      relist.commit('5000');
    }
    const writer = shard.writer(other.id)!;
    const change = (version: number): void => {
      const item = Buffer.from(sampleRow({ key: 'd/p1', version }));
      writer.apply([{ type: 'MODIFIED', item }], String(version));
    };
    change(5_001);
    const before = await shard.seqOf({ feed: other.id, version: '5000' });
    if (before.is !== 'seq') throw new Error(before.is);
    await shard.want({ feeds: [other], goodbye: [feed] });
    await expect.poll(async () => (await shard.stat()).objects).toBe(10);
    expect((await shard.stat()).history).toBeGreaterThan(16_000_000 / 8);
    change(5_002);
    shard.maintain();
    const { seq } = before;
    const events = await shard.events({ feed: other.id, after: seq, position: '5000', form, bytes: 100_000 });
    expect(events).toMatchObject({ is: 'events', types: ['MODIFIED', 'MODIFIED'] });
  });
});
