import { expect, test } from 'vitest';
import { sharesOf } from './shares.ts';

test.each([
  ['of none, each has its share', 10, [0, 0, 0], [4, 4, 2]],
  ['few pods leave clusters without', 1, [0, 0, 0], [1, 0, 0]],
  ['all there', 10, [4, 4, 2], [0, 0, 0]],
  ['some that were being filled', 10, [4, 1, 0], [0, 3, 2]],
  ['more than asked for', 5, [4, 4, 2], [0, 0, 0]],
  ['clusters that came later', 12, [6, 4, 0, 0], [0, 0, 2, 0]],
])('%s', (_, desired, there, missing) => {
  expect(sharesOf(desired, there)).toEqual(missing);
});
