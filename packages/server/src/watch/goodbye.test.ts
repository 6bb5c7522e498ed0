import { afterEach, describe, expect, test } from 'vitest';
import { readVersion } from '../present/versions.ts';
import { CachedFleet } from '../testing/cached-fleet.ts';
import { targetOf } from '../testing/targets.ts';
import { from, watchList } from '../testing/watch-fleet.ts';

let fleet: CachedFleet;
afterEach(() => fleet[Symbol.dispose]());

const gone = { type: 'ERROR', code: 410 };

async function scene(): Promise<CachedFleet> {
  fleet = new CachedFleet();
  await fleet.join('m1', 10, ['a']);
  await fleet.join('m2', 500, ['b', 'c']);
  return fleet;
}

const all = from({ m1: '10', m2: '500' });

describe('WATCH-5: a member that is removed', () => {
  test('is reported as deleted object by object, and the watch goes on without it', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    fleet.member('m2').put('d');
    await client.until(() => client.events.length === 1);
    await fleet.remove('m2');
    await client.until(() => client.events.length === 4);
    expect(client.events.toSorted()).toEqual([
      'ADDED d.clusterspace.m2',
      'DELETED b.clusterspace.m2',
      'DELETED c.clusterspace.m2',
      'DELETED d.clusterspace.m2',
    ]);
    expect(client.received.filter(({ type }) => type === 'DELETED').map(({ version }) => version)).toEqual(
      expect.arrayContaining(['500', '500', '501']),
    );
    fleet.member('m1').put('z');
    await client.until(() => client.events.length === 5);
    expect(client.ended).toBe(false);
    await client.until(() => client.bookmarks.at(-1)?.map?.['m1'] === '11');
    expect(client.bookmarks.at(-1)!.map).toEqual({ m1: '11' });
  });

  test('RV-6: whoever comes back with its entry is 410, with the map behind the goodbye nothing is missed or repeated', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    fleet.member('m2').put('d');
    await client.until(() => client.bookmarks.length > 0);
    const before = client.bookmarks.at(-1)!.map!;
    expect(before).toEqual({ m1: '10', m2: '501' });
    await fleet.remove('m2');
    await client.until(() => client.bookmarks.some(({ map }) => !map!['m2']));
    const behind = client.received.findIndex(({ map }) => map && !map['m2']);
    expect(client.received.slice(0, behind).filter(({ type }) => type === 'DELETED')).toHaveLength(3);
    client.leave();
    fleet.member('m1').put('z');
    const old = await fleet.watch(from(before));
    await old.until(() => old.ended);
    expect(old.received).toEqual([gone]);
    const next = await fleet.watch(from(client.received[behind]!.map!));
    await next.until(() => next.events.length > 0);
    expect(next.events).toEqual(['ADDED z.clusterspace.m1']);
  });

  test('RV-6: versions of deleted objects are no positions', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    await fleet.remove('m2');
    await client.until(() => client.events.length === 2);
    fleet.member('m1').put('z');
    await client.until(() => client.events.length === 3);
    client.leave();
    for (const version of ['500', '11']) {
      const back = await fleet.watch(`watch=true&resourceVersion=${version}`);
      await back.until(() => back.ended);
      expect(back.received).toEqual([gone]);
    }
  });

  test('only what was selected is reported as deleted', async () => {
    await scene();
    const client = await fleet.watch(`${all}&fieldSelector=metadata.name%21%3Db`);
    await fleet.cachedFor(1);
    await fleet.remove('m2');
    await client.until(() => client.bookmarks.some(({ map }) => !map!['m2']));
    expect(client.events).toEqual(['DELETED c.clusterspace.m2']);
  });

  test('another one that joins under its name follows its goodbye', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    const removed = fleet.remove('m2');
    await fleet.join('m2', 20, ['b']);
    fleet.watches.refresh();
    await removed;
    await client.until(() => client.events.length === 3);
    expect(client.events.slice(0, 2).toSorted()).toEqual(['DELETED b.clusterspace.m2', 'DELETED c.clusterspace.m2']);
    expect(client.events[2]).toBe('ADDED b.clusterspace.m2');
    fleet.member('m2').put('e');
    await client.until(() => client.bookmarks.at(-1)?.map?.['m2'] === '21');
    expect(client.bookmarks.at(-1)!.map).toEqual({ m1: '10', m2: '21' });
    expect(client.events.at(-1)).toBe('ADDED e.clusterspace.m2');
  });

  test('is not sent to those who come when another has its name', async () => {
    await scene();
    const first = await fleet.watch(all);
    await fleet.cachedFor(1);
    const removed = fleet.remove('m2');
    await fleet.join('m2', 20, ['new']);
    const second = await fleet.watch(watchList);
    await removed;
    await second.until(() => second.bookmarks.length > 0);
    await first.until(() => first.events.length >= 2);
    expect(second.events.toSorted()).toEqual(['ADDED a.clusterspace.m1', 'ADDED new.clusterspace.m2']);
  });

  test('ends the stream with 410 if it was read live', async () => {
    await scene();
    await fleet.deregister('m2');
    const client = await fleet.watch(all);
    await client.until(() => fleet.member('m2').watches === 1);
    await fleet.remove('m2');
    await client.until(() => client.ended);
    expect(client.received).toEqual([gone]);
  });

  test('ends a watch that has not come to its feed with 410: nobody knows what that one was sent', async () => {
    await scene();
    const first = await fleet.watch(all);
    await fleet.cachedFor(1);
    // Listed from the member itself, which is ahead of the cache.
    const ahead = await fleet.watch(from({ m1: '10', m2: '505' }));
    await fleet.remove('m2');
    await ahead.until(() => ahead.ended);
    expect(ahead.received).toEqual([gone]);
    await first.until(() => first.events.length === 2);
    expect(first.ended).toBe(false);
  });

  test('a lost permission is no removal', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    fleet.cached('m2').revoke('alice');
    await client.until(() => client.ended);
    expect(client.received).toEqual([gone]);
  });

  test('RV-4: where versions of events are maps, too, none leads into the goodbye', async () => {
    await scene();
    fleet.view = { ...targetOf('GET', '/api/v1/pods').view, versions: 'maps' };
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    await fleet.remove('m2');
    await client.until(() => client.events.length === 2);
    fleet.member('m1').put('z');
    await client.until(() => client.events.length === 3);
    const versions = client.raw
      .map((line) => JSON.parse(line) as { type: string; object: { metadata: { resourceVersion: string } } })
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ object }) => readVersion(object.metadata.resourceVersion));
    expect(versions.slice(0, 2)).toEqual([
      { is: 'plain', version: '500' },
      { is: 'plain', version: '500' },
    ]);
    expect(versions[2]).toEqual({ is: 'map', of: new Map([['m1', '11']]) });
  });
});

describe('CACHE-4: a resource that is no longer registered', () => {
  test('is watched on live from its position, and nobody notices', async () => {
    await scene();
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    fleet.member('m2').put('d');
    await client.until(() => client.events.length === 1);
    await fleet.deregister('m2');
    fleet.member('m2').put('e');
    await client.until(() => client.events.length === 2);
    expect(client.events).toEqual(['ADDED d.clusterspace.m2', 'ADDED e.clusterspace.m2']);
    expect(fleet.cached('m2').live).toEqual(['alice watch 501']);
    expect(client.ended).toBe(false);
  });
});

describe('CLU-4: a Cluster that leads to another server', () => {
  const moved = async (): Promise<void> => {
    fleet.servers.set('m2', 'there');
    fleet.members = fleet.members.filter(({ cluster }) => cluster !== 'm2');
    await fleet.join('m2', 20, ['other']);
  };

  test('WATCH-5: ends its cached watches with 410: the other server cannot resume them', async () => {
    await scene();
    fleet.servers.set('m2', 'here');
    const client = await fleet.watch(all);
    await fleet.cachedFor(1);
    await moved();
    await client.until(() => client.ended);
    expect(client.received).toEqual([gone]);
  });

  test('WATCH-5: leaves a live stream open, and does not resume it at the other server', async () => {
    await scene();
    fleet.servers.set('m2', 'here');
    await fleet.deregister('m2');
    const client = await fleet.watch(all);
    const before = fleet.cached('m2');
    await client.until(() => before.watches === 1);
    await moved();
    before.put('d');
    await client.until(() => client.events.length === 1);
    before.cut();
    await client.until(() => client.ended);
    expect(client.received.filter(({ type }) => type !== 'BOOKMARK')).toEqual([
      { type: 'ADDED', name: 'd.clusterspace.m2', version: '501' },
      gone,
    ]);
  });
});
