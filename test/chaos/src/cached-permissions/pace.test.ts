import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

it('counts the slowest request of the time, and forgets', () => {
  const pace = new Pace();
  expect(pace.allowance(0, 10)).toBe(0);
  pace.note(1_000, 1_010);
  pace.note(1_100, 1_400);
  expect(pace.allowance(1_500, 1_520)).toBe(600);
  expect(pace.allowance(500, 1_050)).toBe(20);
  expect(pace.allowance(9_000, 9_020)).toBe(0);
  expect(pace.given()).toEqual({ median: 20, most: 600 });
});
