import { expect, test } from 'vitest';
import { FullRetries } from './full-retries.ts';

/** Seconds at which it is due, checked every ten. */
function dueWithin(retries: FullRetries, clock: { now: number }, seconds: number): number[] {
  const due: number[] = [];
  for (const end = clock.now + seconds * 1_000; clock.now < end; clock.now += 10_000) {
    if (retries.isDue('pods')) due.push(clock.now / 1_000);
  }
  return due;
}

test('CACHE-18: what does not fit is read again less and less often, until it fits', () => {
  const clock = { now: 0 };
  const retries = new FullRetries(() => clock.now);
  expect(dueWithin(retries, clock, 3_000)).toEqual([0, 20, 60, 140, 300, 620, 1_220, 1_820, 2_420]);
  expect(retries.isDue('others')).toBe(true);
  retries.forget('pods');
  expect(dueWithin(retries, clock, 60)).toEqual([3_000, 3_020]);
});
