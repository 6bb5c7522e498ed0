import { expect, it } from 'vitest';
import { Track } from './track.ts';

it('has the old and the new value while a change is on its way', () => {
  const track = new Track('a');
  track.change('b', 10).settle(12);
  track.change('c', 20);
  const at = (moment: number) => [...track.possibleAt(moment)].join('');
  expect([0, 9, 10, 11, 12, 19, 20, 99].map(at)).toEqual(['a', 'a', 'ab', 'ab', 'b', 'b', 'bc', 'bc']);
  expect([...track.possibleIn(5, 11)].join('')).toBe('ab');
  expect([...track.possibleIn(12, 19)].join('')).toBe('b');
  expect([...track.possibleIn(0, 30)].join('')).toBe('abc');
  expect(track.value).toBe('c');
});
