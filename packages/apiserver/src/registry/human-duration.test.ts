import { expect, it } from 'vitest';
import { humanDuration } from './human-duration.ts';

const [second, minute, hour, day, year] = [1_000, 60_000, 3_600_000, 86_400_000, 31_536_000_000];

it.each([
  [-2 * second, '<invalid>'],
  [-second, '0s'],
  [second, '1s'],
  [70 * second, '70s'],
  [190 * second, '3m10s'],
  [70 * minute, '70m'],
  [47 * hour, '47h'],
  [49 * hour, '2d1h'],
  [8 * day + 2 * hour, '8d'],
  [367 * day, '367d'],
  [2 * year + 3 * day, '2y3d'],
  [8 * year + 2 * hour, '8y'],
])('%i ms is %s, as kubectl prints it', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});
