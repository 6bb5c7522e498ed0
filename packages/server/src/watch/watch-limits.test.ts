import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeWatched } from '../testing/fake-watched.ts';
import { alice, Fleet, from, watchList } from '../testing/watch-fleet.ts';
import { SharedWatches } from './shared-watches.ts';
import { type WatchLimitOptions, WatchLimits } from './watch-limits.ts';

let fleet: Fleet;
afterEach(() => fleet[Symbol.dispose]());

const limited = (options: WatchLimitOptions) => {
  fleet = new Fleet(new FakeWatched('m1', 10), new FakeWatched('m2', 500));
  fleet.watches = new SharedWatches(() => {}, new WatchLimits(options));
  return fleet;
};
const both = from({ m1: '10', m2: '500' });
const selecting = (label: string) => `${both}&labelSelector=${label}`;
const tooMany = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 5 } };
const bob = { ...alice, name: 'bob' };

describe('LIMIT-2: watches over many clusters', () => {
  test('a user who watches too many different things is 429 with Retry-After; others are not', async () => {
    limited({ perMember: 0, perUser: 2 });
    await fleet.watch(selecting('a'));
    await fleet.watch(selecting('b'));
    await expect(fleet.watch(selecting('c'))).rejects.toMatchObject(tooMany);
    await fleet.watch(selecting('c'), { user: bob });
  });

  test('the same thing once more is no other', async () => {
    limited({ perMember: 2, perUser: 2 });
    await fleet.watch(selecting('a'));
    await fleet.watch(selecting('b'));
    for (let n = 0; n < 20; n++) await fleet.watch(selecting('b'));
    expect(fleet.watches.watching).toBe(22);
    await vi.waitFor(() => expect(fleet.members.map(({ watches }) => watches)).toEqual([2, 2]));
  });

  test('NAME-5: the control plane is no member that serves as many as it may', () => {
    const limits = new WatchLimits({ perMember: 1, perUser: 0 });
    const ask = (cluster: string) => ({ user: 'alice', clusters: [cluster] });
    using _taken = limits.take({ user: 'alice', clusters: ['karmada', 'm1'] });
    expect(limits.limitReached(ask('karmada'))).toBeUndefined();
    expect(limits.limitReached(ask('m1'))?.error).toMatchObject(tooMany);
  });

  test('a member that serves as many as it may: 429 that names it, and no member is asked', async () => {
    limited({ perMember: 1, perUser: 0 });
    fleet.granted = ['m2'];
    await fleet.watch(from({ m2: '500' }));
    await vi.waitFor(() => expect(fleet.member('m2').watches).toBe(1));
    fleet.granted = undefined;
    await expect(fleet.watch(selecting('b'), { user: bob })).rejects.toMatchObject({
      ...tooMany,
      message: expect.stringContaining('cluster "m2"'),
    });
    await expect(fleet.watch(watchList, { user: bob })).rejects.toMatchObject(tooMany);
    expect(fleet.member('m1').asked).toEqual([]);
    fleet.granted = ['m1'];
    await fleet.watch(from({ m1: '10' }), { user: bob });
  });

  test('nobody is refused for what only waits for those who may come back', async () => {
    limited({ perMember: 1, perUser: 1 });
    const first = await fleet.watch(selecting('a'));
    first.leave();
    await vi.waitFor(() => expect(fleet.watches.watching).toBe(0));
    const second = await fleet.watch(selecting('b'));
    await expect(fleet.watch(selecting('c'))).rejects.toMatchObject(tooMany);
    fleet.member('m1').put('x');
    await second.until(() => second.events.length === 1);
    expect(fleet.members.map(({ watches }) => watches)).toEqual([1, 1]);
  });

  test('clusters that come and go are counted where they are', async () => {
    limited({ perMember: 1, perUser: 0 });
    fleet.granted = ['m1'];
    const first = await fleet.watch(from({ m1: '10' }));
    fleet.granted = ['m1', 'm2'];
    fleet.watches.refresh();
    await first.until(() => fleet.member('m2').watches === 1);
    fleet.granted = ['m2'];
    await expect(fleet.watch(from({ m2: '500' }), { user: bob })).rejects.toMatchObject(tooMany);
    first.leave();
    fleet.watches.end();
    await fleet.watch(from({ m2: '500' }), { user: bob });
  });
});
