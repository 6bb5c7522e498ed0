import { expect, it } from 'vitest';
import { timerMillis } from './timer-millis.ts';

it.each([
  [-1, 0],
  [0, 0],
  [0.1, 1],
  [1_000, 1_000],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 31, 2 ** 31 - 1],
  [1e300, 2 ** 31 - 1],
  [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
])('%d ms are %d for a timer', (millis, expected) => {
  expect(timerMillis(millis)).toBe(expected);
});
