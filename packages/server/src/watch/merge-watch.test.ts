import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeWatched } from '../testing/fake-watched.ts';
import { Fleet, from, watchList } from '../testing/watch-fleet.ts';

const open: Fleet[] = [];
afterEach(() => {
  for (const fleet of open.splice(0)) fleet[Symbol.dispose]();
});

const fleetOf = (...members: FakeWatched[]): Fleet => {
  const fleet = new Fleet(...members);
  open.push(fleet);
  return fleet;
};

describe('one stream over all clusters', () => {
  test('WATCH-1 NAME-4: events of all members, names with their cluster, the members own versions', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    fleet.member('m2').put('b');
    await client.until(() => client.events.length === 2);
    expect(
      client.received.filter(({ type }) => type !== 'BOOKMARK').toSorted((x, y) => (x.name! < y.name! ? -1 : 1)),
    ).toEqual([
      { type: 'MODIFIED', name: 'a.clusterspace.m1', version: '11' },
      { type: 'ADDED', name: 'b.clusterspace.m2', version: '501' },
    ]);
  });

  test('WATCH-2: a bookmark with the map follows, in the same write', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await client.until(() => client.bookmarks.length > 0);
    expect(client.bookmarks.at(-1)).toEqual({ type: 'BOOKMARK', map: { m1: '11', m2: '500' } });
  });

  test('without allowWatchBookmarks there are none', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const client = await fleet.watch(from({ m1: '10' }).replace('allowWatchBookmarks=true&', ''));
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    expect(client.bookmarks).toEqual([]);
  });

  test('watchers of the same thing share one watch per member', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    const second = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 1);
    await second.until(() => second.events.length === 1);
    expect(fleet.members.map(({ watches }) => watches)).toEqual([1, 1]);
    expect(second.raw[0]).toBe(first.raw[0]);
  });

  test('CACHE-7: who asks for consistent=true shares no watch that may come from the cache', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const first = await fleet.watch(from({ m1: '10' }));
    const second = await fleet.watch(`${from({ m1: '10' })}&consistent=true`);
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 1);
    await second.until(() => second.events.length === 1);
    expect(fleet.member('m1').watches).toBe(2);
  });

  test('one that resumes from a version which the log no longer holds gets a watch of its own', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const first = await fleet.watch(from({ m1: '10' }));
    for (let i = 0; i < 5_000; i++) fleet.member('m1').put('a');
    await first.until(() => first.events.length === 5_000);
    const second = await fleet.watch(from({ m1: '11' }));
    await second.until(() => second.events.length === 4_999);
    expect(fleet.member('m1').watches).toBe(2);
  });
});

describe('WATCH-3: initial events', () => {
  test('all objects as ADDED, then one bookmark for their end, and none before', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a', 'b']), new FakeWatched('m2', 500, ['a']));
    const client = await fleet.watch(watchList);
    await client.until(() => client.bookmarks.length === 1);
    expect(client.events.toSorted()).toEqual([
      'ADDED a.clusterspace.m1',
      'ADDED a.clusterspace.m2',
      'ADDED b.clusterspace.m1',
    ]);
    expect(client.received.at(-1)).toEqual({ type: 'BOOKMARK', map: { m1: '10', m2: '500' }, end: true });
    expect(JSON.parse(client.raw[0]!).object).toMatchObject({ kind: 'Pod', apiVersion: 'v1' });
  });

  test('LIST-4: a member that is unreachable at the start makes it 503, and names it', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500));
    fleet.member('m2').instead = { is: 'missing', reason: 'cannot be reached' };
    await expect(fleet.watch(watchList)).rejects.toMatchObject({ code: 503, message: expect.stringContaining('"m2"') });
  });

  test('with partial=true it comes when it is back; until then the end waits', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500, ['b']));
    fleet.member('m2').instead = { is: 'missing', reason: 'cannot be reached' };
    const client = await fleet.watch(`${watchList}&partial=true`);
    await client.until(() => client.events.length === 1);
    expect(client.bookmarks).toEqual([]);
    fleet.member('m2').instead = undefined;
    await client.until(() => client.bookmarks.length === 1);
    expect(client.bookmarks).toEqual([{ type: 'BOOKMARK', map: { m1: '10', m2: '500' }, end: true }]);
  });

  test('one lost midway continues at the same version, each object once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `pod-${index}`);
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500, names));
    fleet.member('m2').cutListAt = 5_000;
    const client = await fleet.watch(watchList);
    await client.until(() => client.bookmarks.length === 1);
    expect(client.events.length).toBe(201);
    expect(new Set(client.events).size).toBe(201);
    expect(fleet.member('m2').asked).toContain('list limit=500&resourceVersion=500&resourceVersionMatch=Exact');
  });

  test('events that happen meanwhile follow the objects', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `pod-${index}`);
    const fleet = fleetOf(new FakeWatched('m1', 10, names));
    const client = await fleet.watch(watchList);
    fleet.member('m1').remove('pod-7');
    await client.until(() => client.events.length === 3_001);
    expect(client.events.at(-1)).toBe('DELETED pod-7.clusterspace.m1');
  });

  test('without a version, and without asking for the end, it is the same, and bookmarks come as usual', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']));
    const client = await fleet.watch('watch=true&allowWatchBookmarks=true');
    await client.until(() => client.events.length === 1);
    fleet.member('m1').put('a');
    await client.until(() => client.bookmarks.length > 0);
    expect(client.events).toEqual(['ADDED a.clusterspace.m1', 'MODIFIED a.clusterspace.m1']);
    expect(client.bookmarks.at(-1)).toEqual({ type: 'BOOKMARK', map: { m1: '11' } });
  });

  test('sendInitialEvents=false without a version: from now on', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']));
    const client = await fleet.watch('watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan');
    fleet.member('m1').put('b');
    await client.until(() => client.events.length === 1);
    expect(client.events).toEqual(['ADDED b.clusterspace.m1']);
  });
});

describe('RV-6 WATCH-4: resuming', () => {
  test('nothing is lost and nothing comes twice', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await first.until(() => first.bookmarks.length > 0);
    const { map } = first.bookmarks.at(-1)!;
    first.leave();
    fleet.member('m2').put('b');
    fleet.member('m1').put('a');
    const second = await fleet.watch(from(map!));
    await second.until(() => second.events.length === 2);
    expect(second.events.toSorted()).toEqual(['ADDED b.clusterspace.m2', 'MODIFIED a.clusterspace.m1']);
  });

  test('from the plain version of the last event', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').bookmark(10);
    fleet.member('m2').bookmark(500);
    fleet.member('m2').put('b');
    await first.until(() => first.events.length === 1);
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 2);
    first.leave();
    fleet.member('m1').put('c');
    const second = await fleet.watch('watch=true&resourceVersion=11');
    await second.until(() => second.events.length > 0);
    expect(second.events).toEqual(['ADDED c.clusterspace.m1']);
  });

  test('410 for a plain version that another cluster has by chance: nobody who left was sent it', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 10));
    fleet.member('m1').put('a');
    const other = await fleet.watch(from({ m1: '11', m2: '10' }));
    fleet.member('m2').put('b');
    await other.until(() => other.events.length === 1);
    // The last that it saw, before this server began, was a of m1: it does not know of b.
    const client = await fleet.watch('watch=true&resourceVersion=11');
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test('410 for the version of an object that was there when the watch came to its cluster', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['x', 'z']));
    const other = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m2').put('x');
    await other.until(() => other.events.length === 1);
    const first = await fleet.watch(from({ m1: '10' }));
    await first.until(() => first.events.length === 2);
    first.leave();
    // It may have seen x alone.
    const second = await fleet.watch('watch=true&resourceVersion=501');
    await second.until(() => second.ended);
    expect(second.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test('410 for the version of such an object which an earlier event had, too', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const first = await fleet.watch(from({ m1: '10' }));
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 1);
    fleet.members.push(new FakeWatched('m2', 11, ['b']));
    fleet.watches.refresh();
    await first.until(() => first.events.length === 2);
    first.leave();
    const second = await fleet.watch('watch=true&resourceVersion=11');
    await second.until(() => second.ended);
    expect(second.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test.each([
    ['a plain version that nobody was sent', 'watch=true&resourceVersion=7'],
    ['an entry of a cluster that is gone', from({ m1: '10', m9: '1' })],
  ])('410 for %s', async (_, query) => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const client = await fleet.watch(query);
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test.each([
    ['has compacted', 'compact'],
    ['refuses', 'refuse'],
    ['no longer serves it', 'absent'],
  ])('410 for an entry of a cluster that %s', async (_, what) => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    fleet.member('m1').put('a');
    if (what === 'compact') fleet.member('m1').compact();
    if (what === 'refuse')
      fleet.member('m1').instead = { is: 'refused', error: new StatusError(403, 'Forbidden', 'no') };
    if (what === 'absent') fleet.member('m1').instead = { is: 'absent' };
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test('a cluster without an entry starts with ADDED', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500, ['b']));
    const client = await fleet.watch(from({ m1: '10' }));
    await client.until(() => client.events.length === 1);
    expect(client.events).toEqual(['ADDED b.clusterspace.m2']);
  });
});

describe('WATCH-5 WATCH-6: members come and go', () => {
  test('one that joins: its objects arrive in the open stream, and it has an entry only afterwards', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const client = await fleet.watch(from({ m1: '10' }));
    fleet.members.push(new FakeWatched('m2', 500, ['b']));
    fleet.watches.refresh();
    await client.until(() => client.events.length === 1);
    expect(client.events).toEqual(['ADDED b.clusterspace.m2']);
    fleet.member('m1').put('a');
    await client.until(() => client.bookmarks.some(({ map }) => map?.['m2'] === '500' && map['m1'] === '11'));
  });

  test('one that is removed ends the stream with 410, and nothing is reported as deleted', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10, ['a']), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.members = [fleet.member('m2')];
    fleet.watches.refresh();
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test('one that was removed and joins again: its objects, and nothing that happened before', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m2').put('ghost');
    await first.until(() => first.events.length === 1);
    fleet.members = [fleet.member('m1')];
    fleet.watches.refresh();
    await first.until(() => first.ended);
    const second = await fleet.watch(from({ m1: '10' }));
    fleet.members.push(new FakeWatched('m2', 3, ['b']));
    fleet.watches.refresh();
    await second.until(() => second.events.length > 0);
    fleet.member('m2').put('c');
    await second.until(() => second.events.includes('ADDED c.clusterspace.m2'));
    expect(second.events).toEqual(['ADDED b.clusterspace.m2', 'ADDED c.clusterspace.m2']);
  });

  test('RV-6: who left before a cluster was removed lists again: its objects are gone', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['b']));
    const first = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 1);
    first.leave();
    fleet.members = [fleet.member('m1')];
    fleet.watches.refresh();
    const second = await fleet.watch('watch=true&resourceVersion=11');
    await second.until(() => second.ended);
    expect(second.received).toEqual([{ type: 'ERROR', code: 410 }]);
  });

  test('one that is unreachable is asked again from its last entry; the others go on', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    fleet.member('m1').instead = { is: 'missing', reason: 'cannot be reached' };
    fleet.member('m1').cut();
    fleet.member('m1').put('a');
    fleet.member('m2').put('b');
    await client.until(() => client.events.length === 2);
    expect(client.events).toEqual(['ADDED a.clusterspace.m1', 'ADDED b.clusterspace.m2']);
    fleet.member('m1').instead = undefined;
    await client.until(() => client.events.length === 3);
    expect(client.events.at(-1)).toBe('MODIFIED a.clusterspace.m1');
    expect(fleet.member('m1').asked.at(-1)).toBe('watch 11');
  });

  test('one whose history is gone when it is back ends the stream with 410', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
    const client = await fleet.watch(from({ m1: '10', m2: '500' }));
    fleet.member('m1').put('a');
    await client.until(() => client.events.length === 1);
    fleet.member('m1').instead = { is: 'missing', reason: 'cannot be reached' };
    fleet.member('m1').cut();
    fleet.member('m1').put('a');
    fleet.member('m1').compact();
    fleet.member('m1').instead = undefined;
    await client.until(() => client.ended);
    expect(client.received.at(-1)).toEqual({ type: 'ERROR', code: 410 });
  });

  test('one that does not serve the resource joins when it does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      const fleet = fleetOf(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['b']));
      fleet.member('m2').instead = { is: 'absent' };
      const client = await fleet.watch(from({ m1: '10' }));
      await client.until(() => fleet.member('m2').asked.length === 1);
      fleet.member('m2').instead = undefined;
      await vi.advanceTimersByTimeAsync(2_000);
      await client.until(() => client.events.length === 1);
      expect(client.events).toEqual(['ADDED b.clusterspace.m2']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('WATCH-7: the end', () => {
  test('of a server: a bookmark, and then nothing', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const client = await fleet.watch(from({ m1: '10' }));
    fleet.watches.end();
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'BOOKMARK', map: { m1: '10' } }]);
  });

  test('of timeoutSeconds', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const client = await fleet.watch(`${from({ m1: '10' })}&timeoutSeconds=1`);
    await client.until(() => client.ended);
    expect(client.received).toEqual([{ type: 'BOOKMARK', map: { m1: '10' } }]);
  });

  test('of one whose client left before it began', async () => {
    const fleet = fleetOf(new FakeWatched('m1', 10));
    const gone = new AbortController();
    gone.abort();
    const client = await fleet.watch(from({ m1: '10' }), { gone });
    await client.until(() => client.ended);
    expect(client.received).toEqual([]);
  });
});
