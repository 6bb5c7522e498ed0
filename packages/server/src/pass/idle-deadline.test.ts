import { withIdleDeadline } from '@fleet/client/idle-deadline.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBody } from '../testing/fake-upstream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('withIdleDeadline', () => {
  it('ends a body whose sender falls silent while somebody waits', async () => {
    const { body, write, aborted } = openBody();
    const reading = withIdleDeadline(body, 1000);
    write('a');
    expect(String((await reading.next()).value)).toBe('a');
    const next = reading.next();
    next.catch(() => {});
    await vi.advanceTimersByTimeAsync(1000);
    await expect(next).rejects.toThrow('no data for 1000 ms');
    await aborted;
  });

  it('a slow reader costs nothing', async () => {
    const { body, write } = openBody();
    const reading = withIdleDeadline(body, 1000);
    write('a');
    await reading.next();
    await vi.advanceTimersByTimeAsync(60_000);
    write('b');
    body.end();
    expect(String((await reading.next()).value)).toBe('b');
    expect((await reading.next()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
