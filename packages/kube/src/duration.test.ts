import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['0', 0],
  ['0s', 0],
  ['1.5ms', 1.5],
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['1h', 3_600_000],
  ['30d', 30 * 86_400_000],
  ['1d12h', 1.5 * 86_400_000],
])('%s', (text, millis) => expect(parseDuration(text)).toBe(millis));

test.each(['', '10', 's', '10x', '-1s', '+1s', '1d-1h', '1d1d', 'd', '1.5d', '1h1d', ' 1s', '9999999d', '1 h'])(
  'no duration: "%s"',
  (text) => expect(parseDuration(text)).toBeUndefined(),
);
