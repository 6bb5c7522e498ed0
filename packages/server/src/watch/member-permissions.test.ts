import { setImmediate as turn } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Permission } from '../merge/source.ts';
import { FakeWatched } from '../testing/fake-watched.ts';
import { alice, Fleet, from, watchList } from '../testing/watch-fleet.ts';

let fleet: Fleet;
afterEach(() => {
  vi.useRealTimers();
  fleet[Symbol.dispose]();
});

const two = () => {
  fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
  return fleet;
};
const refused: Permission = { is: 'refused', error: new StatusError(403, 'Forbidden', 'no') };
const missing: Permission = { is: 'missing', reason: 'cannot be reached' };
const gone = { type: 'ERROR', code: 410 };
const both = from({ m1: '10', m2: '500' });

describe('AUTHZ-2: what the control plane grants', () => {
  test('a new watch is sent just what was granted to it, not what an older one of the same user has', async () => {
    two();
    const first = await fleet.watch(both);
    fleet.granted = ['m1'];
    // The older one has not been notified yet.
    fleet.clustersNow = () => new Promise(() => {});
    const second = await fleet.watch(from({ m1: '10' }));
    const third = await fleet.watch(watchList);
    fleet.member('m2').put('secret');
    await first.until(() => first.events.length === 1);
    fleet.member('m1').put('a');
    await second.until(() => second.bookmarks.at(-1)?.map?.['m1'] === '11');
    await third.until(() => third.bookmarks.at(-1)?.map?.['m1'] === '11');
    expect(second.events).toEqual(['ADDED a.clusterspace.m1']);
    expect(third.events).toEqual(['ADDED a.clusterspace.m1']);
    expect([second, third].map(({ bookmarks }) => bookmarks.at(-1)!.map)).toEqual([{ m1: '11' }, { m1: '11' }]);
    expect(fleet.member('m2').asked.filter((asked) => asked.startsWith('list'))).toEqual([]);
  });

  test('RV-6: 410 for the plain version of one that was granted less: it is no position in the other clusters', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['b']));
    await fleet.watch(both);
    fleet.granted = ['m1'];
    // The older one has not been notified yet.
    fleet.clustersNow = () => new Promise(() => {});
    const second = await fleet.watch(from({ m1: '10' }));
    fleet.member('m1').put('a');
    await second.until(() => second.events.length === 1);
    second.leave();
    fleet.granted = ['m1', 'm2'];
    // It has never been sent b.
    const third = await fleet.watch('watch=true&resourceVersion=11');
    await third.until(() => third.ended);
    expect(third.received).toEqual([gone]);
  });

  test('a new watch that was granted less has the older one asked again, which ends with 410', async () => {
    two();
    const first = await fleet.watch(both);
    fleet.granted = ['m1'];
    const second = await fleet.watch(from({ m1: '10' }));
    await first.until(() => first.ended);
    expect(first.received).toEqual([gone]);
    fleet.member('m1').put('a');
    await second.until(() => second.events.length === 1);
    expect(second.ended).toBe(false);
  });

  test('a new watch that was granted more brings the older one the same', async () => {
    two();
    fleet.granted = ['m1'];
    const first = await fleet.watch(from({ m1: '10' }));
    fleet.member('m2').put('b');
    fleet.granted = ['m1', 'm2'];
    const second = await fleet.watch(from({ m1: '10' }));
    await first.until(() => first.events.length === 1);
    await second.until(() => second.events.length === 1);
    expect([first.events, second.events]).toEqual([['ADDED b.clusterspace.m2'], ['ADDED b.clusterspace.m2']]);
  });

  test('a revoked cluster ends an open stream with 410 within 10 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    two();
    const first = await fleet.watch(both);
    fleet.granted = ['m1'];
    await vi.advanceTimersByTimeAsync(8_000);
    await first.until(() => first.ended);
    expect(first.received).toEqual([gone]);
  });

  test('the control plane is asked once for all who share, and not for those who have left', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    two();
    const ask = vi.fn(async () => ['m1', 'm2']);
    fleet.clustersNow = ask;
    const clients = [await fleet.watch(both), await fleet.watch(both), await fleet.watch(both)];
    await vi.advanceTimersByTimeAsync(12_000);
    expect(ask).toHaveBeenCalledTimes(2);
    for (const client of clients) client.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test('a control plane that does not answer ends nothing, and is reported once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    two();
    fleet.clustersNow = () => Promise.reject(new StatusError(503, 'ServiceUnavailable', 'away'));
    const first = await fleet.watch(both);
    await vi.advanceTimersByTimeAsync(30_000);
    fleet.member('m1').put('a');
    await first.until(() => first.events.length === 1);
    expect(fleet.faults).toHaveLength(1);
  });

  test('a refresh during a review starts one more review after it', async () => {
    two();
    const first = await fleet.watch(both);
    const answers: ((clusters: string[]) => void)[] = [];
    fleet.clustersNow = () => new Promise((resolve) => answers.push(resolve));
    fleet.watches.refresh();
    fleet.watches.refresh();
    expect(answers).toHaveLength(1);
    answers[0]!(['m1', 'm2']);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!(['m1']);
    await first.until(() => first.ended);
    expect(first.received).toEqual([gone]);
  });
});

describe('AUTHZ-3: a feed that is open already', () => {
  test.each([
    ['a map', both],
    ['from now on', 'watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan'],
  ])('is joined only after the member’s yes for this watch: %s', async (_, query) => {
    two();
    const first = await fleet.watch(both);
    fleet.member('m2').put('b');
    await first.until(() => first.events.length === 1);
    fleet.member('m2').permission = async () => refused;
    const second = await fleet.watch(query);
    await second.until(() => second.ended);
    expect(second.received).toEqual([gone]);
    // As in kube-apiserver, open watches continue.
    fleet.member('m2').put('c');
    await first.until(() => first.events.length === 2);
    expect(first.ended).toBe(false);
  });

  test('from the plain version of an event', async () => {
    two();
    const first = await fleet.watch(both);
    fleet.member('m2').put('b');
    await first.until(() => first.events.length === 1);
    first.leave();
    fleet.member('m2').put('secret');
    fleet.member('m2').permission = async () => refused;
    const second = await fleet.watch('watch=true&resourceVersion=501');
    await second.until(() => second.ended);
    expect(second.received).toEqual([gone]);
  });

  test('to list is not to watch: its objects are sent, its events are not', async () => {
    fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500, ['b']));
    const first = await fleet.watch(both);
    fleet.member('m2').permission = async () => refused;
    const second = await fleet.watch(watchList);
    await second.until(() => second.ended);
    expect(second.received).toEqual([{ type: 'ADDED', name: 'b.clusterspace.m2', version: '500' }, gone]);
    expect(first.ended).toBe(false);
  });

  test('nothing of a member that cannot be asked is sent before its yes; the others are', async () => {
    two();
    const first = await fleet.watch(both);
    fleet.member('m2').put('b');
    await first.until(() => first.events.length === 1);
    let answer: Permission = missing;
    fleet.member('m2').permission = async () => answer;
    const second = await fleet.watch(both);
    fleet.member('m1').put('a');
    fleet.member('m2').put('c');
    await second.until(() => second.bookmarks.length > 0);
    expect(second.events).toEqual(['ADDED a.clusterspace.m1']);
    // Its entry stays: a client that resumes from it misses nothing.
    expect(second.bookmarks.at(-1)!.map).toEqual({ m1: '11', m2: '500' });
    answer = { is: 'allowed' };
    await second.until(() => second.events.length === 3);
    expect(second.events.slice(1)).toEqual(['ADDED b.clusterspace.m2', 'ADDED c.clusterspace.m2']);
    fleet.member('m2').put('c');
    await second.until(() => second.events.length === 4);
    await second.until(() => second.bookmarks.at(-1)!.map!['m2'] === '503');
  });

  test('WATCH-2: its entry stays the same also when it was level with the feed, and something happens then', async () => {
    two();
    const first = await fleet.watch(both);
    fleet.member('m2').permission = async () => missing;
    const second = await fleet.watch(both);
    fleet.member('m2').put('c');
    await first.until(() => first.events.includes('ADDED c.clusterspace.m2'));
    fleet.member('m1').put('a');
    await second.until(() => second.bookmarks.at(-1)?.map?.['m1'] === '11');
    expect(second.bookmarks.at(-1)!.map).toEqual({ m1: '11', m2: '500' });
  });

  test('one that takes long to answer does not hold up the others, and may still refuse', async () => {
    two();
    await fleet.watch(both);
    const { promise, resolve } = Promise.withResolvers<Permission>();
    fleet.member('m2').permission = () => promise;
    const second = await fleet.watch(both);
    fleet.member('m1').put('a');
    await second.until(() => second.events.length === 1);
    resolve(refused);
    await second.until(() => second.ended);
    expect(second.received.at(-1)).toEqual(gone);
    expect(second.events).toEqual(['ADDED a.clusterspace.m1', 'ERROR']);
  });

  test('a version of an event that came late is none to resume from', async () => {
    two();
    const first = await fleet.watch(both);
    let answer: Permission = missing;
    fleet.member('m2').permission = async () => answer;
    const second = await fleet.watch(both);
    fleet.member('m2').put('b');
    await first.until(() => first.events.length === 1);
    fleet.member('m1').put('a');
    await second.until(() => second.events.length === 1);
    answer = { is: 'allowed' };
    await second.until(() => second.events.length === 2);
    second.leave();
    // It has seen a before b.
    const third = await fleet.watch('watch=true&resourceVersion=501');
    await third.until(() => third.ended);
    expect(third.received).toEqual([gone]);
  });

  test('those who come at once share the question, but none that was asked before they came', async () => {
    two();
    await fleet.watch(both);
    const { promise, resolve } = Promise.withResolvers<Permission>();
    const answers: Promise<Permission>[] = [promise, Promise.resolve(refused)];
    fleet.member('m2').permission = () => answers.shift() ?? Promise.reject(new Error('asked too often'));
    const early = fleet.watch(both);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    const later = Promise.all(Array.from({ length: 50 }, () => fleet.watch(both)));
    // All of them have come as far as the question: nothing else is waited for.
    await turn();
    resolve({ is: 'allowed' });
    const first = await early;
    for (const client of await later) {
      await client.until(() => client.ended);
      expect(client.received).toEqual([gone]);
    }
    expect(first.ended).toBe(false);
    expect(answers).toEqual([]);
  });

  test('what ended while the member was asked is not joined: the watch begins anew, and misses nothing', async () => {
    two();
    await fleet.watch(both);
    const { promise, resolve } = Promise.withResolvers<Permission>();
    fleet.member('m2').permission = () => promise;
    const coming = fleet.watch(both);
    await vi.waitFor(() => expect(fleet.member('m2').asked).toContain('may watch 500'));
    fleet.watches.end();
    fleet.member('m2').put('b');
    resolve({ is: 'allowed' });
    const client = await coming;
    await client.until(() => client.events.length === 1);
    expect(client.events).toEqual(['ADDED b.clusterspace.m2']);
  });

  test('a feed that begins with the watch asks for itself', async () => {
    two();
    await fleet.watch(both);
    expect(fleet.member('m1').asked).toEqual(['watch 10']);
  });
});

describe('who shares', () => {
  const account = (credential: string, more: Record<string, string[]> = {}) => ({
    ...alice,
    name: 'system:serviceaccount:ns:informer',
    extra: { 'authentication.kubernetes.io/credential-id': [credential], ...more },
  });
  const podName = (name: string) => ({ 'authentication.kubernetes.io/pod-name': [name] });

  test('IMP-1: a ServiceAccount with two tokens, each asked for by its own', async () => {
    two();
    await fleet.watch(both, { user: account('JTI=1') });
    const second = await fleet.watch(both, { user: account('JTI=2') });
    fleet.member('m1').put('a');
    await second.until(() => second.events.length === 1);
    expect(fleet.members.map(({ watches }) => watches)).toEqual([1, 1]);
    expect(fleet.askedAs.at(-1)?.extra['authentication.kubernetes.io/credential-id']).toEqual(['JTI=2']);
  });

  test('IMP-1: not with any other difference that a member may decide by', async () => {
    two();
    await fleet.watch(both, { user: account('JTI=1', podName('a')) });
    await fleet.watch(both, { user: account('JTI=1', podName('b')) });
    await fleet.watch(both, { user: { ...account('JTI=1', podName('a')), groups: ['more'] } });
    await fleet.watch(both, { user: { ...account('JTI=1', podName('a')), origin: 'fleet-ca' } });
    await fleet.watch(both, { user: { ...account('JTI=1', podName('a')), uid: '1' } });
    await vi.waitFor(() => expect(fleet.members.map(({ watches }) => watches)).toEqual([5, 5]));
  });
});
