import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SlicedWork } from './sliced-work.ts';

it('long work is done in slices, with others in between', async () => {
  using work = new SlicedWork(() => false);
  let [slices, turns, isDone] = [0, 0, false];
  work.add((isTimeUp) => {
    while (!isTimeUp());
    slices++;
    isDone = slices === 5;
    return !isDone;
  });
  expect(slices).toBe(1);
  for (; !isDone; turns++) await turn();
  expect(turns).toBeGreaterThanOrEqual(4);
});

it('background work comes last, and continues as long as there is any', async () => {
  const done: string[] = [];
  using work = new SlicedWork(() => {
    done.push('idle');
    return done.length < 3;
  });
  work.add(() => {
    done.push('work');
    return false;
  });
  while (done.length < 3) await turn();
  expect(done).toEqual(['work', 'idle', 'idle']);
});
