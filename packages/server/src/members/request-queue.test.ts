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
