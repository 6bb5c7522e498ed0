import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Leave, RequestQueue } from './request-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const forever = new AbortController().signal;
const options = { places: 2, waiting: 2, within: 5_000 };

describe('LIMIT-2: places and the line before them', () => {
  it('first come, first served', async () => {
    const line = new RequestQueue(options);
    const [first, second] = [line.enter(forever) as Leave, line.enter(forever) as Leave];
    const order: string[] = [];
    const third = Promise.resolve(line.enter(forever)).then(() => order.push('third'));
    const fourth = Promise.resolve(line.enter(forever)).then(() => order.push('fourth'));
    expect([line.inUse, line.waiting]).toEqual([2, 2]);
    second();
    await third;
    first();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
    expect([line.inUse, line.waiting]).toEqual([2, 0]);
  });

  it('when the line is full the next is turned away at once', () => {
    const line = new RequestQueue({ ...options, waiting: 1 });
    for (let i = 0; i < 3; i++) line.enter(forever);
    expect(line.enter(forever)).toBeUndefined();
  });

  it('nobody waits longer than that', async () => {
    const line = new RequestQueue({ ...options, places: 1 });
    line.enter(forever);
    const waiting = line.enter(forever);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBeUndefined();
    expect(line.waiting).toBe(0);
  });

  it('whoever leaves the line takes no place', async () => {
    const line = new RequestQueue({ ...options, places: 1 });
    const first = line.enter(forever) as Leave;
    const client = new AbortController();
    const gone = line.enter(client.signal);
    const next = line.enter(forever) as Promise<Leave>;
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    first();
    (await next)();
    expect([line.inUse, line.waiting]).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a place is given back once', () => {
    const line = new RequestQueue(options);
    const leave = line.enter(forever) as Leave;
    leave();
    leave();
    expect(line.inUse).toBe(0);
  });
});

describe('LIMIT-2: users take turns', () => {
  /** Notes who was let in; each place is given back at once when `leave` is called. */
  function line(waiting: number) {
    const queue = new RequestQueue({ places: 1, waiting, within: 5_000 });
    let leave = queue.enter(forever) as Leave;
    const order: string[] = [];
    const turnedAway: string[] = [];
    const come = (of: string, isFirst = false) => {
      const entered = queue.enter(forever, { of, isFirst });
      if (!entered) turnedAway.push(of);
      else {
        Promise.resolve(entered).then((left) => {
          if (!left) return turnedAway.push(of);
          leave = left;
          return order.push(of);
        });
      }
    };
    const next = async () => {
      leave();
      await vi.advanceTimersByTimeAsync(0);
    };
    return { queue, order, turnedAway, come, next };
  }

  it('whoever comes first, and however many', async () => {
    const { queue, order, come, next } = line(10);
    for (const user of ['mallory', 'mallory', 'mallory', 'alice', 'alice', 'bob']) come(user);
    while (queue.waiting > 0) await next();
    expect(order).toEqual(['mallory', 'alice', 'bob', 'mallory', 'alice', 'mallory']);
  });

  it('those that are first wait for no others, but take turns among themselves', async () => {
    const { queue, order, come, next } = line(10);
    for (const user of ['mallory', 'alice']) come(user);
    for (const user of ['bob', 'bob', 'carol']) come(user, true);
    expect(queue.waiting).toBe(5);
    while (queue.waiting > 0) await next();
    expect(order).toEqual(['bob', 'carol', 'bob', 'mallory', 'alice']);
  });

  it('in a full line one with less than a share takes the place of the last of one with more', async () => {
    const { queue, turnedAway, come } = line(4);
    for (const user of ['mallory', 'mallory', 'mallory', 'mallory', 'mallory']) come(user);
    expect(turnedAway).toEqual(['mallory']);
    for (const user of ['alice', 'alice', 'alice']) come(user);
    await vi.advanceTimersByTimeAsync(0);
    expect(turnedAway.toSorted()).toEqual(['alice', 'mallory', 'mallory', 'mallory']);
    come('bob');
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.waiting).toBe(4);
    expect(turnedAway).toHaveLength(5);
  });

  it('a full line of others turns nobody away who is first', () => {
    const { queue, turnedAway, come } = line(1);
    come('mallory');
    come('alice', true);
    expect([queue.waiting, turnedAway]).toEqual([2, []]);
  });
});
