import { expect, test } from 'vitest';
import { hashOf, noise } from './noise.ts';

test('numbers of a seed are spread evenly, and the same again', () => {
  const numbers = Array.from({ length: 10_000 }, (_, n) => noise(hashOf('a pod'), n));
  expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
  const mean = numbers.reduce((sum, one) => sum + one) / numbers.length;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
  expect(new Set(numbers).size).toBeGreaterThan(9_990);
  expect(noise(hashOf('a pod'), 7)).toBe(numbers[7]);
});
