import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue } from './work-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Work that continues until the test resolves it. */
function watched(workers = 1) {
  const begun: string[] = [];
  const ends: ((isDone: boolean) => void)[] = [];
  const errors: unknown[] = [];
  const queue = new WorkQueue<string>({
    work: (item) => {
      begun.push(item);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      ends.push(resolve);
      return promise;
    },
    onError: (error) => errors.push(error),
    retryMillis: 1_000,
    workers,
  });
  const end = async (isDone: boolean): Promise<void> => {
    ends.shift()!(isDone);
    await turn();
  };
  return { queue, begun, end, errors };
}

describe('WorkQueue', () => {
  it('processes each key once however often it is added, with as many workers as configured', async () => {
    const { queue, begun, end } = watched(2);
    for (const item of ['a', 'b', 'c', 'c', 'd']) queue.add(item, item);
    await turn();
    expect(begun).toEqual(['a', 'b']);
    for (let index = 0; index < 4; index += 1) await end(true);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('processes a key again that was added during its processing', async () => {
    const { queue, begun, end } = watched(2);
    queue.add('a', 'a');
    await turn();
    queue.add('a', 'a again');
    await turn();
    expect(begun).toEqual(['a']);
    await end(true);
    expect(begun).toEqual(['a', 'a again']);
  });

  it('retries what is not done after 1, 2, 4, 8 and 8 seconds, or when it is added', async () => {
    const { queue, begun, end } = watched();
    queue.add('a', 'a');
    await turn();
    for (const seconds of [1, 2, 4, 8, 8]) {
      await end(false);
      const before = begun.length;
      vi.advanceTimersByTime(seconds * 1_000 - 1);
      await turn();
      expect(begun).toHaveLength(before);
      vi.advanceTimersByTime(1);
      await turn();
      expect(begun).toHaveLength(before + 1);
    }
    await end(false);
    queue.add('a', 'named');
    await turn();
    expect(begun.at(-1)).toBe('named');
    await end(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('resets the backoff when an item is done', async () => {
    const { queue, begun, end } = watched();
    queue.add('a', 'a');
    await turn();
    for (const seconds of [1, 2, 4]) {
      await end(false);
      vi.advanceTimersByTime(seconds * 1_000);
      await turn();
    }
    await end(true);
    queue.add('a', 'later');
    await turn();
    await end(false);
    vi.advanceTimersByTime(1_000);
    await turn();
    expect(begun.slice(4)).toEqual(['later', 'later']);
  });

  it('never works on an older item of a key after a newer one', async () => {
    const { queue, begun, end } = watched();
    queue.add('a', 'old');
    await turn();
    queue.add('a', 'new');
    await end(false);
    expect(begun).toEqual(['old', 'new']);
    await end(true);
    vi.advanceTimersByTime(60_000);
    await turn();
    expect(begun).toEqual(['old', 'new']);
  });

  it('processes nothing after it is closed', async () => {
    const { queue, begun, end } = watched();
    for (const item of ['a', 'b']) queue.add(item, item);
    await turn();
    const closing = queue[Symbol.asyncDispose]();
    await end(false);
    await closing;
    queue.add('c', 'c');
    await turn();
    expect([begun, vi.getTimerCount()]).toEqual([['a'], 0]);
  });

  it('reports what fails, and retries it', async () => {
    const errors: unknown[] = [];
    let times = 0;
    const queue = new WorkQueue<string>({
      work: async () => {
        times += 1;
        if (times === 1) throw new Error('not now');
        return true;
      },
      onError: (error) => errors.push(error),
      retryMillis: 1_000,
    });
    queue.add('a', 'a');
    await turn();
    expect(errors).toEqual([new Error('not now')]);
    vi.advanceTimersByTime(1_000);
    await turn();
    expect([times, errors.length]).toEqual([2, 1]);
  });

  it('is idle when everything has been tried, whether it is done or waits for a retry', async () => {
    const { queue, end } = watched();
    await queue.idle;
    for (const item of ['a', 'b']) queue.add(item, item);
    let isIdle = false;
    void queue.idle.then(() => {
      isIdle = true;
    });
    await turn();
    await end(true);
    expect(isIdle).toBe(false);
    await end(false);
    expect(isIdle).toBe(true);
  });

  it('processes an item after a delay, the shortest of several, whatever happens to it meanwhile', async () => {
    const { queue, begun, end } = watched();
    queue.addAfter('a', 'late', 5_000);
    queue.addAfter('a', 'soon', 2_000);
    queue.addAfter('a', 'later', 9_000);
    queue.add('a', 'now');
    await turn();
    expect(begun).toEqual(['now']);
    await end(true);
    vi.advanceTimersByTime(1_999);
    await turn();
    expect(begun).toEqual(['now']);
    vi.advanceTimersByTime(1);
    await turn();
    expect(begun).toEqual(['now', 'soon']);
    await end(true);
    expect(vi.getTimerCount()).toBe(0);
    queue.addAfter('a', 'at once', 0);
    await turn();
    expect(begun.at(-1)).toBe('at once');
    await end(true);
    queue.addAfter('a', 'never', 1);
    await queue[Symbol.asyncDispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});
