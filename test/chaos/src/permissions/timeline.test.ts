import { expect, it } from 'vitest';
import { Timeline } from './timeline.ts';

it('is certain only where nothing changed', () => {
  const timeline = new Timeline(true);
  timeline.change(false, 10).settle(12);
  timeline.change(true, 20).settle(21);
  const asked = [
    [0, 9],
    [0, 10],
    [11, 11],
    [11, 13],
    [12, 19],
    [12, 20],
    [21, 30],
    [0, 30],
  ] as const;
  expect(asked.map(([from, to]) => timeline.over(from, to))).toEqual([
    'yes',
    'either',
    'either',
    'either',
    'no',
    'either',
    'yes',
    'either',
  ]);
});

it('a change on its way is neither', () => {
  const timeline = new Timeline(false);
  timeline.change(true, 5);
  expect([timeline.over(0, 4), timeline.over(0, 6), timeline.over(6, 7)]).toEqual(['no', 'either', 'either']);
});
