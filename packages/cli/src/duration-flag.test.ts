import { expect, test } from 'vitest';
import { durationOf, secondsOrDurationOf } from './duration-flag.ts';
import { UsageError } from './errors.ts';

test('a duration is in milliseconds, and at least so long', () => {
  expect(durationOf('--since', '1h30m')).toBe(5_400_000);
  expect(durationOf('--since', '1s', 1000)).toBe(1000);
  expect(() => durationOf('--since', '999ms', 1000)).toThrow(
    '--since takes a time such as 30s, 5m, 1h30m or 30d, of 1s or more, not "999ms"',
  );
  expect(() => durationOf('--since', '10')).toThrow(UsageError);
});

test.each([
  ['60', 60_000],
  ['0.5', 500],
  ['2m', 120_000],
])('where a number alone has always been one of seconds it still is: %s', (text, millis) =>
  expect(secondsOrDurationOf('--timeout', text)).toBe(millis),
);

test.each(['0', '0s', 'x', '-3', ''])('no timeout: "%s"', (text) =>
  expect(() => secondsOrDurationOf('--timeout', text)).toThrow('--timeout takes a time such as'),
);
