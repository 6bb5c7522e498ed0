import { afterEach, expect, test, vi } from 'vitest';
import { FakeWatched } from '../testing/fake-watched.ts';
import { type Client, Fleet, from } from '../testing/watch-fleet.ts';
import { ClusterStates } from './cluster-states.ts';

const made = vi.hoisted(() => ({ maps: 0 }));
vi.mock('../present/versions.ts', async (original) => {
  const versions = await original<typeof import('../present/versions.ts')>();
  const combineVersions: typeof versions.combineVersions = (positions) => {
    made.maps++;
    return versions.combineVersions(positions);
  };
  return { ...versions, combineVersions };
});

let fleet: Fleet;
afterEach(() => fleet[Symbol.dispose]());

const received = (clients: readonly Client[], version: string) =>
  Promise.all(clients.map((client) => client.until(() => client.bookmarks.at(-1)?.map?.['m0'] === version)));

test('WATCH-2: a round of bookmarks puts the map of all clusters together once, not once for each watcher', async () => {
  fleet = new Fleet(...Array.from({ length: 30 }, (_, n) => new FakeWatched(`m${n}`, 10)));
  const all = from(Object.fromEntries(fleet.clusters.map((cluster) => [cluster, '10'])));
  const clients = await Promise.all(Array.from({ length: 40 }, () => fleet.watch(all)));
  made.maps = 0;
  fleet.member('m0').put('a');
  await received(clients, '11');
  expect(made.maps).toBe(1);
});

test('WATCH-1: an event looks at its own cluster in each watcher, not at all of them', async () => {
  fleet = new Fleet(...Array.from({ length: 30 }, (_, n) => new FakeWatched(`m${n}`, 10)));
  const all = from(Object.fromEntries(fleet.clusters.map((cluster) => [cluster, '10'])));
  const clients = await Promise.all(Array.from({ length: 40 }, () => fleet.watch(all)));
  fleet.member('m0').put('a');
  await received(clients, '11');
  const [one, every] = [vi.spyOn(ClusterStates.prototype, 'get'), vi.spyOn(ClusterStates.prototype, 'clusters')];
  try {
    fleet.member('m0').put('b');
    await received(clients, '12');
    expect(one.mock.calls.length).toBeLessThan(5 * clients.length);
    expect(every).not.toHaveBeenCalled();
  } finally {
    one.mockRestore();
    every.mockRestore();
  }
  expect(clients.map(({ events }) => events)).toEqual(
    clients.map(() => ['ADDED a.clusterspace.m0', 'ADDED b.clusterspace.m0']),
  );
});

test('WATCH-2: those that lack the same cluster share it as well', async () => {
  const error = { is: 'absent' } as const;
  fleet = new Fleet(...Array.from({ length: 30 }, (_, n) => new FakeWatched(`m${n}`, 10)));
  const but = (left: string) =>
    from(Object.fromEntries(fleet.clusters.filter((cluster) => cluster !== left).map((cluster) => [cluster, '10'])));
  const clients = [await fleet.watch(but(''))];
  // Its feed stays open, but new watchers get none of its events.
  fleet.member('m7').instead = error;
  for (let n = 0; n < 40; n++) clients.push(await fleet.watch(but('m7')));
  made.maps = 0;
  fleet.member('m0').put('a');
  await received(clients, '11');
  expect(made.maps).toBe(2);
  expect(clients.map(({ bookmarks }) => 'm7' in bookmarks.at(-1)!.map!)).toEqual(clients.map((_, n) => n === 0));
});

test('WATCH-2: a shared bookmark shows how far a cluster has come without an event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    fleet = new Fleet(new FakeWatched('m0', 10), new FakeWatched('m1', 500));
    const client = await fleet.watch(from({ m0: '10', m1: '500' }));
    fleet.member('m0').put('a');
    await received([client], '11');
    fleet.member('m1').bookmark(510);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(50_000);
      expect(client.bookmarks.at(-1)?.map).toEqual({ m0: '11', m1: '510' });
    });
  } finally {
    vi.useRealTimers();
  }
});
