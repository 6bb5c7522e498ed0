import { expect, it } from 'vitest';
import { indexesOf, sharedIndex } from './indexes.ts';

it('WORKLOAD-6: a set of indexes is counted', () => {
  expect(indexesOf('', 3)).toEqual({ count: 0 });
  expect(indexesOf('1,3-5,7', 10)).toEqual({ count: 5 });
});

it.each([
  [
    '1-2-3',
    `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
  ],
  ['a', 'cannot convert string to integer for index: "a"'],
  ['0-10', 'too large index: "10"'],
  ['3-3', 'non-increasing order, previous: 3, current: 3'],
  ['4,2', 'non-increasing order, previous: 4, current: 2'],
])('WORKLOAD-6: %s is none', (text, fault) => expect(indexesOf(text, 10)).toEqual({ count: 0, fault }));

it('WORKLOAD-6: an index is completed or failed', () => {
  expect(sharedIndex('0-2,5', '3,5-6', 10)).toBe(5);
  expect(sharedIndex('0-2', '3-4', 10)).toBeUndefined();
});
