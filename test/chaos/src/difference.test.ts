import { expect, test } from 'vitest';
import { difference } from './difference.ts';

const object = (uid: string, resourceVersion: string, name = `n-${uid}`) => ({ uid, resourceVersion, name });

test('the same objects in another order differ in nothing', () => {
  expect(difference([object('a', '1'), object('b', '2')], [object('b', '2'), object('a', '1')])).toEqual([]);
});

test('what is missing, too much, old, renamed or there twice is reported', () => {
  const truth = [object('a', '1'), object('b', '2'), object('c', '3')];
  const held = [object('a', '1'), object('a', '1'), object('b', '1'), object('c', '3', 'other'), object('d', '4')];
  expect(difference(held, [...truth, object('e', '5')])).toEqual([
    'n-a a is gone, and held at 1',
    'n-b b is at 2, and held at 1',
    'n-c c is held as other',
    'n-d d is gone, and held at 4',
    'n-e e is at 5, and not held',
  ]);
});
