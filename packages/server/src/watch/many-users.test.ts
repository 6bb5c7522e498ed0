import { afterEach, describe, expect, test, vi } from 'vitest';
import { CachedFleet } from '../testing/cached-fleet.ts';
import { targetOf } from '../testing/targets.ts';
import { type Client, from, userOf, watchList } from '../testing/watch-fleet.ts';
import { SharedWatches } from './shared-watches.ts';
import { WatchLimits } from './watch-limits.ts';

/** How often bytes are put together: events in the view's form, and maps of versions. */
const made = vi.hoisted(() => ({ objects: 0, maps: 0 }));
vi.mock('../present/marking.ts', async (original) => {
  const marking = await original<typeof import('../present/marking.ts')>();
  const objectInsertions: typeof marking.objectInsertions = (...of) => {
    made.objects++;
    return marking.objectInsertions(...of);
  };
  return { ...marking, objectInsertions };
});
vi.mock('../present/versions.ts', async (original) => {
  const versions = await original<typeof import('../present/versions.ts')>();
  const combineVersions: typeof versions.combineVersions = (positions) => {
    made.maps++;
    return versions.combineVersions(positions);
  };
  return { ...versions, combineVersions };
});

let fleet: CachedFleet;
afterEach(() => fleet[Symbol.dispose]());

const gone = { type: 'ERROR', code: 410 };
const all = from({ m1: '10', m2: '500' });

async function scene(): Promise<void> {
  fleet = new CachedFleet();
  await fleet.join('m1', 10, ['a']);
  await fleet.join('m2', 500, ['b']);
}

const users = (count: number) => Array.from({ length: count }, (_, n) => userOf(`user-${n}`));

async function watchAs(names: readonly string[], query = all): Promise<Client[]> {
  const clients = [];
  for (const name of names) clients.push(await fleet.watch(query, { user: userOf(name) }));
  await fleet.cachedFor(names.length);
  return clients;
}

const allReceived = (clients: readonly Client[], event: string) =>
  Promise.all(clients.map((client) => client.until(() => client.events.includes(event))));

describe('CACHE-11 WATCH-1: users who watch the same cached resource', () => {
  /** For one event and the bookmark behind it, once the watches are open. */
  async function work(count: number, view?: 'maps') {
    await scene();
    if (view) fleet.view = { ...targetOf('GET', '/api/v1/pods').view, versions: view };
    const reads = vi.spyOn(fleet.shard, 'events');
    const clients = await watchAs(users(count).map(({ name }) => name));
    fleet.member('m1').put('first');
    await allReceived(clients, 'ADDED first.clusterspace.m1');
    await Promise.all(clients.map((client) => client.until(() => client.bookmarks.length > 0)));
    made.objects = 0;
    made.maps = 0;
    reads.mockClear();
    fleet.member('m1').put('second');
    await allReceived(clients, 'ADDED second.clusterspace.m1');
    await Promise.all(clients.map((client) => client.until(() => client.bookmarks.at(-1)?.map?.['m1'] === '12')));
    expect(new Set(clients.map(({ raw }) => raw.find((line) => line.includes('second')))).size).toBe(1);
    const done = { ...made, reads: reads.mock.calls.length, streams: fleet.streams.size };
    fleet[Symbol.dispose]();
    return done;
  }

  test('one reading of the cache, one encoding of each event, one map of positions, however many users', async () => {
    const few = await work(2);
    expect(few).toMatchObject({ objects: 1, streams: 2 });
    expect(await work(40)).toEqual(few);
  });

  test('RV-4: also where versions of events are maps', async () => {
    const few = await work(2, 'maps');
    expect(few).toMatchObject({ objects: 1, streams: 2 });
    expect(await work(40, 'maps')).toEqual(few);
  });

  test('a user who comes later catches up alone, and then reads along', async () => {
    await scene();
    const [first] = await watchAs(['alice']);
    for (const name of ['c', 'd', 'e']) fleet.member('m1').put(name);
    await first!.until(() => first!.events.length === 3);
    const late = await fleet.watch(all, { user: userOf('bob') });
    await late.until(() => late.events.length === 3);
    expect(late.events).toEqual(first!.events);
    made.objects = 0;
    fleet.member('m1').put('f');
    await allReceived([first!, late], 'ADDED f.clusterspace.m1');
    expect({ encoded: made.objects, streams: fleet.streams.size }).toEqual({ encoded: 1, streams: 2 });
  });

  test('another form or selection is another reading', async () => {
    await scene();
    const [plain] = await watchAs(['alice']);
    const selected = await fleet.watch(`${all}&fieldSelector=metadata.name%21%3Dx`, { user: userOf('bob') });
    await vi.waitFor(() => expect(fleet.streams.size).toBe(4));
    fleet.member('m1').put('x');
    fleet.member('m1').put('y');
    await allReceived([plain!, selected], 'ADDED y.clusterspace.m1');
    expect(plain!.events).toEqual(['ADDED x.clusterspace.m1', 'ADDED y.clusterspace.m1']);
    expect(selected.events).toEqual(['ADDED y.clusterspace.m1']);
  });
});

describe('IMP-3 AUTHZ-2: each user has a permission of its own', () => {
  test('one that is revoked ends the watch of that user with 410, and of nobody else', async () => {
    await scene();
    const [alice, bob, carol] = await watchAs(['alice', 'bob', 'carol']);
    fleet.member('m1').put('c');
    await allReceived([alice!, bob!, carol!], 'ADDED c.clusterspace.m1');
    fleet.cached('m1').revoke('bob');
    fleet.member('m1').put('secret');
    await allReceived([alice!, carol!], 'ADDED secret.clusterspace.m1');
    await bob!.until(() => bob!.ended);
    expect(bob!.events).toEqual(['ADDED c.clusterspace.m1', 'ERROR']);
    expect(bob!.received.at(-1)).toEqual(gone);
    expect([alice!.ended, carol!.ended]).toEqual([false, false]);
  });

  test('what was read for others before the revocation is not shown after it', async () => {
    await scene();
    const [alice, bob] = await watchAs(['alice', 'bob']);
    fleet.member('m1').put('secret');
    fleet.cached('m1').revoke('bob');
    await allReceived([alice!], 'ADDED secret.clusterspace.m1');
    await bob!.until(() => bob!.ended);
    expect(bob!.received).toEqual([gone]);
  });

  test('a user whom the member refuses does not read along: it is asked itself, as that user', async () => {
    await scene();
    await watchAs(['alice']);
    fleet.cached('m1').refused.add('mallory');
    const mallory = await fleet.watch(all, { user: userOf('mallory') });
    fleet.member('m1').put('secret');
    await mallory.until(() => mallory.ended);
    expect(mallory.received).toEqual([gone]);
    expect(fleet.cached('m1').live).toEqual(['mallory watch 10']);
  });

  test('also with initial events: the list is the user’s own', async () => {
    await scene();
    await watchAs(['alice']);
    fleet.cached('m1').refused.add('mallory');
    const mallory = await fleet.watch(watchList, { user: userOf('mallory') });
    await mallory.until(() => mallory.bookmarks.length > 0);
    fleet.member('m1').put('secret');
    fleet.member('m2').put('shown');
    await allReceived([mallory], 'ADDED shown.clusterspace.m2');
    expect(mallory.events).toEqual(['ADDED b.clusterspace.m2', 'ADDED shown.clusterspace.m2']);
    expect(fleet.cached('m1').live).toEqual(['mallory list']);
  });

  test('a user who may list and not watch is sent no event', async () => {
    await scene();
    const [alice] = await watchAs(['alice']);
    fleet.cached('m1').refused.add('mallory watch');
    const mallory = await fleet.watch(watchList, { user: userOf('mallory') });
    fleet.member('m1').put('secret');
    await allReceived([alice!], 'ADDED secret.clusterspace.m1');
    await mallory.until(() => mallory.ended);
    expect(mallory.received.at(-1)).toEqual(gone);
    expect(mallory.events).not.toContain('ADDED secret.clusterspace.m1');
    expect(fleet.cached('m1').live).toEqual(['mallory watch 10']);
  });

  test('a permission that goes while the watch is being opened ends it, too', async () => {
    await scene();
    const opening = fleet.watch(all, { user: userOf('bob') });
    fleet.cached('m1').revoke('bob');
    const bob = await opening;
    await bob.until(() => bob.ended);
    expect(bob.received).toEqual([gone]);
  });

  test('one who resumes is asked again: what is kept for others is not resumed from', async () => {
    await scene();
    const [alice, bob] = await watchAs(['alice', 'bob']);
    fleet.member('m1').put('c');
    await allReceived([alice!, bob!], 'ADDED c.clusterspace.m1');
    bob!.leave();
    fleet.cached('m1').revoke('bob');
    fleet.member('m1').put('secret');
    await allReceived([alice!], 'ADDED secret.clusterspace.m1');
    const back = await fleet.watch(from({ m1: '11', m2: '500' }), { user: userOf('bob') });
    await back.until(() => back.ended);
    expect(back.received).toEqual([gone]);
  });
});

describe('IMP-3 CACHE-4: where the cache no longer answers', () => {
  test('every user’s stream is opened as that user, from its position; those whom the member refuses end', async () => {
    await scene();
    const clients = await watchAs(['alice', 'bob', 'mallory']);
    fleet.member('m1').put('c');
    await allReceived(clients, 'ADDED c.clusterspace.m1');
    // Nobody has noticed yet: the member itself has.
    fleet.cached('m1').refused.add('mallory');
    await fleet.deregister('m1');
    fleet.member('m1').put('d');
    const [alice, bob, mallory] = clients;
    await allReceived([alice!, bob!], 'ADDED d.clusterspace.m1');
    await mallory!.until(() => mallory!.ended);
    expect(mallory!.events).toEqual(['ADDED c.clusterspace.m1', 'ERROR']);
    expect(fleet.cached('m1').live.toSorted()).toEqual(['alice watch 11', 'bob watch 11', 'mallory watch 11']);
    expect(alice!.events).toEqual(['ADDED c.clusterspace.m1', 'ADDED d.clusterspace.m1']);
    expect(fleet.member('m1').watches).toBe(2);
  });

  test('a version that has left the history is the member’s to resume, as that user', async () => {
    await scene();
    await watchAs(['alice']);
    const bob = await fleet.watch(from({ m1: '9', m2: '500' }), { user: userOf('bob') });
    await bob.until(() => bob.ended);
    expect(fleet.cached('m1').live).toEqual(['bob watch 9']);
    expect(fleet.cached('m1').reasons).toEqual(['version']);
  });

  test('WATCH-5: all of them are sent the goodbye of a removed member', async () => {
    await scene();
    const clients = await watchAs(['alice', 'bob', 'carol']);
    await fleet.remove('m2');
    await allReceived(clients, 'DELETED b.clusterspace.m2');
    fleet.member('m1').put('c');
    await allReceived(clients, 'ADDED c.clusterspace.m1');
    expect(clients.map(({ ended }) => ended)).toEqual([false, false, false]);
  });
});

describe('LIMIT-2: limits', () => {
  const limited = (limits: { perMember: number; perUser: number }) => {
    fleet.watches = new SharedWatches((error) => fleet.faults.push(error), new WatchLimits(limits));
  };

  test('per user: what users share counts for each of them', async () => {
    await scene();
    limited({ perMember: 0, perUser: 1 });
    await watchAs(['alice', 'bob']);
    const other = `${all}&labelSelector=a%3Db`;
    for (const name of ['alice', 'bob']) {
      await expect(fleet.watch(other, { user: userOf(name) })).rejects.toMatchObject({ code: 429 });
    }
  });

  test('per member: watches from the cache take none of its streams, those that went live do', async () => {
    await scene();
    limited({ perMember: 2, perUser: 0 });
    const clients = await watchAs(['alice', 'bob', 'carol']);
    await fleet.deregister('m1');
    await vi.waitFor(() => expect(fleet.member('m1').watches).toBe(3));
    expect(clients.map(({ ended }) => ended)).toEqual([false, false, false]);
    await expect(fleet.watch(all, { user: userOf('dave') })).rejects.toMatchObject({ code: 429 });
  });
});
