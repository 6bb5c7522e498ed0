import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Steps of 2 ms each. */
function scene() {
  let now = 0;
  const done: number[] = [];
  const turns = new FairTurns(() => now);
  const ask = (number: number) =>
    turns.do(() => {
      now += 2;
      done.push(number);
      return number;
    });
  return { turns, ask, done };
}

it('LIMIT-3: concurrent requests are served in turns, in their order', async () => {
  const { ask, done } = scene();
  const all = Array.from({ length: 10 }, (_, number) => ask(number));
  expect(done).toEqual([0, 1, 2]);
  const perTurn: number[] = [];
  while (done.length < 10) {
    const before = done.length;
    await turn();
    perTurn.push(done.length - before);
  }
  expect(perTurn.filter((steps) => steps > 0)).toEqual([3, 3, 1]);
  expect(await Promise.all(all)).toEqual(done);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
});

it('LIMIT-3: a caller that repeats requests leaves turns to others', async () => {
  const { ask, done } = scene();
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await turn();
  })();
  for (let number = 0; number < 30; number++) await ask(number);
  isOver = true;
  await others;
  expect(done).toHaveLength(30);
  expect(turns).toBeGreaterThanOrEqual(9);
});

it('a step that fails fails alone', async () => {
  const { turns, ask } = scene();
  const fail = () =>
    turns.do(() => {
      throw new Error('failed');
    });
  await expect(fail()).rejects.toThrow('failed');
  const early = [ask(1), ask(2), ask(3)];
  const late = fail();
  const last = ask(4);
  await expect(late).rejects.toThrow('failed');
  expect(await Promise.all([...early, last])).toEqual([1, 2, 3, 4]);
});
