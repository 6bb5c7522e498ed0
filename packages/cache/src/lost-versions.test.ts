import { describe, expect, it } from 'vitest';
import { LostVersions } from './lost-versions.ts';
import type { Page } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleRow } from './testing/sample-objects.ts';

const feed = podFeed.id;

function fill(shard: MemoryShard, id: string, position: string, wentBack = false): void {
  using relist = shard.writer(id)!.relist('row');
  relist.add([Buffer.from(sampleRow({ key: 'd/p', version: 5 }))]);
  relist.commit(position, { wentBack });
}

describe('CACHE-5: versions from before a member went back are 410', () => {
  it('also once its feed was dropped and filled again', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    const at = async (version: string) => (await shard.seqOf({ feed, version })).is;
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '500');
    fill(shard, feed, '20', true);
    expect(await at('400')).toBe('lost');
    for (const position of ['25', '450']) {
      await shard.want({ feeds: [] });
      await shard.want({ feeds: [podFeed] });
      fill(shard, feed, position);
      expect(await at(position)).toBe('seq');
      for (const version of ['22', '400', '500']) expect(await at(version), version).toBe('lost');
      expect(await at('501')).toBe('not-yet');
    }
  });

  it('WATCH-5: so are those of another server that its cluster led to', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '500');
    const other = { ...podFeed, id: 'pods of another server' };
    await shard.want({ feeds: [other], moved: [feed] });
    fill(shard, other.id, '20');
    expect(await shard.seqOf({ feed: other.id, version: '400' })).toEqual({ is: 'lost' });
  });

  it('but for those that the member has assigned again, and the stream reaches', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '500');
    fill(shard, feed, '20', true);
    const found = shard.seqOf({ feed, version: '30', wait: 60_000 });
    shard.writer(feed)!.apply([], '30');
    expect(await found).toMatchObject({ is: 'seq' });
    expect(await shard.seqOf({ feed, version: '400', wait: 10 })).toEqual({ is: 'lost' });
  });

  it('not those that came after it, where its list showed no difference', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '500');
    fill(shard, feed, '20', true);
    const writer = shard.writer(feed)!;
    const at = (version: string) => shard.seqOf({ feed, version });
    writer.apply([], '30');
    writer.apply([], '40');
    const [first] = await Promise.all(['20', '25', '30'].map(at));
    const changed = sampleRow({ key: 'd/p', version: 45 });
    writer.apply([{ type: 'MODIFIED', item: Buffer.from(changed) }], '45');
    for (const version of ['20', '25', '30', '40']) expect(await at(version), version).toEqual(first);
    if (first?.is !== 'seq') throw new Error('its version is lost');
    const page = await shard.read({ feed, at: first.seq, form: { as: 'object', inList: true }, bytes: 1_000 });
    expect(page).toMatchObject({ is: 'page', position: '20' });
    expect(Buffer.from((page as Page).chunk).toString()).toContain('"resourceVersion":"5"');
    for (const version of ['10', '400']) expect(await at(version), version).toEqual({ is: 'lost' });
    fill(shard, feed, '15', true);
    expect(await at('17')).toEqual({ is: 'lost' });
  });

  it('not of a resource that was only filled again', async () => {
    await using shard = new MemoryShard({ limit: 16_000_000, segmentSize: 50_000 });
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '500');
    await shard.want({ feeds: [] });
    await shard.want({ feeds: [podFeed] });
    fill(shard, feed, '600');
    expect(await shard.seqOf({ feed, version: '500' })).toEqual({ is: 'floor' });
  });

  it('LIMIT-3: as many marks are kept as there is a limit', () => {
    const lost = new LostVersions();
    const resource = (index: number) => ({ cluster: `m${index}`, group: '', resource: 'pods' });
    for (let index = 0; index < 6_000; index++) lost.add(resource(index), '10');
    lost.add(resource(5_999), '9');
    expect([lost.of(resource(0)), lost.of(resource(5_999))]).toEqual([undefined, '10']);
  });
});
