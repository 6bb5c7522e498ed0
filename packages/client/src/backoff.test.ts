import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Backoff } from './backoff.ts';

const delay = vi.hoisted(() => vi.fn(async (_: number) => {}));
vi.mock('node:timers/promises', () => ({ setTimeout: delay }));

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  delay.mockClear();
});

const { signal } = new AbortController();
const pauses = () => delay.mock.calls.map(([pause]) => pause);

test('pauses double up to 10 s, and restart after a success', async () => {
  const backoff = new Backoff();
  for (let attempt = 0; attempt < 8; attempt++) await backoff.wait(signal);
  expect(pauses()).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  backoff.reset();
  await backoff.wait(signal);
  expect(pauses().at(-1)).toBe(250);
});

test('each varies by at most half of its length', async () => {
  vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1);
  await new Backoff().wait(signal);
  await new Backoff().wait(signal);
  expect(pauses()).toEqual([125, 375]);
});
