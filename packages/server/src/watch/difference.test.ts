import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SourceBatch } from '../merge/source.ts';
import { CachedFleet } from '../testing/cached-fleet.ts';
import { from } from '../testing/watch-fleet.ts';

let fleet: CachedFleet;
afterEach(() => fleet[Symbol.dispose]());

/** More than one batch of the cache, and less than a shared watch keeps. */
const many = Array.from({ length: 3_500 }, (_, index) => `new-${String(index).padStart(4, '0')}-${'x'.repeat(40)}`);

/** A part of a difference up to 20. */
function partOf(name: string, position: string): SourceBatch {
  const object = JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { name, resourceVersion: '3' } });
  const open = '{"type":"ADDED","object":';
  const line = Buffer.from(`${open}${object}}`);
  const read = { type: 'ADDED', version: '3', object: { start: open.length, end: line.length - 1 } };
  return { events: [{ line, read, position: '20' }], position, resumable: false };
}

describe('WATCH-6: a difference that takes several batches', () => {
  test.each([
    ['after it', false],
    ['while it is sent', true],
  ])('is sent whole to whoever resumes in front of it, %s', async (_, isMeanwhile) => {
    fleet = new CachedFleet();
    const member = await fleet.join('m1', 10, ['a']);
    const first = await fleet.watch(from({ m1: '10' }));
    await fleet.cachedFor(1);
    member.relist(20, many);
    if (isMeanwhile) await first.until(() => first.events.length > 0);
    else await first.until(() => first.events.length === many.length + 1);
    const second = await fleet.watch(from({ m1: '10' }));
    await second.until(() => second.bookmarks.at(-1)?.map?.['m1'] === '20');
    expect(new Set(second.events)).toEqual(
      new Set(['DELETED a.clusterspace.m1', ...many.map((name) => `ADDED ${name}.clusterspace.m1`)]),
    );
  });

  test('RV-6: nobody resumes at an event of another cluster that came within it', async () => {
    fleet = new CachedFleet();
    await fleet.join('m1', 10);
    await fleet.join('m2', 500);
    const sources = fleet.sources!;
    const parts = [partOf('b', '10'), partOf('c', '20')];
    const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* batches() {
      for (const [index, part] of parts.entries()) {
        await next[index]!.promise;
        yield part;
      }
      await new Promise(() => {});
    }
    fleet.sources = (cluster, user) => {
      const source = sources(cluster, user);
      return cluster === 'm1'
        ? Object.assign(source, { watch: async () => ({ is: 'open', batches: batches() }) })
        : source;
    };
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    next[0]!.resolve();
    await client.until(() => client.events.length === 1);
    fleet.member('m2').put('z');
    await client.until(() => client.events.length === 2);
    next[1]!.resolve();
    await client.until(() => client.bookmarks.at(-1)?.map?.['m1'] === '20');
    expect(client.events).toEqual(['ADDED b.clusterspace.m1', 'ADDED z.clusterspace.m2', 'ADDED c.clusterspace.m1']);
    client.leave();
    const back = await fleet.watch('watch=true&resourceVersion=501');
    await back.until(() => back.ended);
    expect(back.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });
});

describe('WATCH-6: a client whose position is between two lists of the cache', () => {
  test('lists again when the difference comes: it may have seen what neither list has', async () => {
    fleet = new CachedFleet();
    const member = await fleet.join('m1', 10, ['a', 'b']);
    const first = await fleet.watch(from({ m1: '10' }));
    await fleet.cachedFor(1);
    const within = await fleet.watch(from({ m1: '15' }));
    const behind = await fleet.watch(from({ m1: '20' }));
    member.relist(20, ['b', 'c']);
    await first.until(() => first.bookmarks.at(-1)?.map?.['m1'] === '20');
    expect(first.events).toEqual(['DELETED a', 'MODIFIED b', 'ADDED c'].map((event) => `${event}.clusterspace.m1`));
    await within.until(() => within.ended);
    expect(within.received).toEqual([{ type: 'ERROR', code: 410 }]);
    member.put('d');
    await behind.until(() => behind.events.length > 0);
    expect(behind.events).toEqual(['ADDED d.clusterspace.m1']);
  });

  test('lists again when the second list is like the first', async () => {
    fleet = new CachedFleet();
    const member = await fleet.join('m1', 10, ['a']);
    const first = await fleet.watch(from({ m1: '10' }));
    await fleet.cachedFor(1);
    const within = await fleet.watch(from({ m1: '15' }));
    member.relistUnchanged(20);
    await within.until(() => within.ended);
    expect(within.received).toEqual([{ type: 'ERROR', code: 410 }]);
    expect(first.ended).toBe(false);
  });

  test('is not sent the difference where it comes later', async () => {
    fleet = new CachedFleet();
    const member = await fleet.join('m1', 10, ['a', 'b']);
    const first = await fleet.watch(from({ m1: '10' }));
    await fleet.cachedFor(1);
    member.relist(20, ['b', 'c']);
    await first.until(() => first.events.length === 3);
    const within = await fleet.watch(from({ m1: '15' }));
    await vi.waitFor(() => expect(member.live.some((asked) => asked.endsWith('watch 15'))).toBe(true));
    expect(within.events).toEqual([]);
  });
});
