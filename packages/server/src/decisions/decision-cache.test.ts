import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DecisionCache } from './decision-cache.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('AUTHZ-2: decisions are kept 10 s', () => {
  it('those who ask at once share one question', async () => {
    const cache = new DecisionCache<number>();
    const { promise, resolve } = Promise.withResolvers<number>();
    const ask = vi.fn(() => promise);
    const asked = [cache.decide('k', ask), cache.decide('k', ask)];
    resolve(7);
    expect(await Promise.all(asked)).toEqual([7, 7]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('a decision counts for 10 s and not longer', async () => {
    const cache = new DecisionCache<boolean>();
    const ask = vi.fn(async () => false);
    await cache.decide('k', ask);
    vi.advanceTimersByTime(9_999);
    await cache.decide('k', ask);
    expect(ask).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await cache.decide('k', ask);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('a caller that needs newer decisions asks again, and others share its answer', async () => {
    const cache = new DecisionCache<boolean>();
    let answer = true;
    const ask = vi.fn(async () => answer);
    await cache.decide('k', ask);
    answer = false;
    vi.advanceTimersByTime(1_999);
    expect(await cache.decide('k', ask, 2_000)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await cache.decide('k', ask, 2_000)).toBe(false);
    expect(await cache.decide('k', ask)).toBe(false);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('different questions do not share an answer', async () => {
    const cache = new DecisionCache<string>();
    expect(await Promise.all([cache.decide('a', async () => 'A'), cache.decide('b', async () => 'B')])).toEqual([
      'A',
      'B',
    ]);
  });

  it('an error is returned to all who waited and to nobody after them', async () => {
    const cache = new DecisionCache<boolean>();
    const { promise, reject } = Promise.withResolvers<boolean>();
    const waiting = Promise.allSettled([cache.decide('k', () => promise), cache.decide('k', () => promise)]);
    reject(new Error('away'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await cache.decide('k', async () => true)).toBe(true);
  });

  it('an old question that fails late does not drop a newer decision', async () => {
    const cache = new DecisionCache<string>();
    const { promise, reject } = Promise.withResolvers<string>();
    const old = cache.decide('k', () => promise);
    vi.advanceTimersByTime(10_000);
    await cache.decide('k', async () => 'new');
    reject(new Error('late'));
    await expect(old).rejects.toThrow('late');
    const ask = vi.fn(async () => 'again');
    expect(await cache.decide('k', ask)).toBe('new');
    expect(ask).not.toHaveBeenCalled();
  });

  it('LIMIT-2: at most 10 000 are kept, the oldest go first', async () => {
    const cache = new DecisionCache<number>();
    for (let i = 0; i <= 10_000; i++) await cache.decide(String(i), async () => i);
    const ask = vi.fn(async () => -1);
    expect(await cache.decide('10000', ask)).toBe(10_000);
    expect(await cache.decide('0', ask)).toBe(-1);
  });

  it('SEC-3: questions of more than 10 000 bytes are not kept', async () => {
    const cache = new DecisionCache<number>();
    const ask = vi.fn(async () => 1);
    for (const key of ['x'.repeat(10_001), 'é'.repeat(5_001)]) {
      await cache.decide(key, ask);
      await cache.decide(key, ask);
    }
    expect(ask).toHaveBeenCalledTimes(4);
    await cache.decide('x'.repeat(10_000), ask);
    await cache.decide('x'.repeat(10_000), ask);
    expect(ask).toHaveBeenCalledTimes(5);
    expect(cache.size).toBe(1);
  });

  it('SEC-3: decisions leave when their time is over, whether somebody asks again or not', async () => {
    const cache = new DecisionCache<number>();
    await cache.decide('a', async () => 1);
    vi.advanceTimersByTime(5_000);
    await cache.decide('b', async () => 2);
    vi.advanceTimersByTime(5_000);
    expect(cache.size).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(cache.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
