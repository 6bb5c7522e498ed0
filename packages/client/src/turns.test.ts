import { expect, it } from 'vitest';
import { nextTurn } from './turns.ts';

it('LIMIT-3: of many that wait one goes on in each turn of the event loop, in their order', async () => {
  let turn = 0;
  const timer = setImmediate(function next(): void {
    turn += 1;
    if (seen.length < 5) setImmediate(next);
  });
  const seen: { who: number; turn: number }[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (who) => {
      await nextTurn();
      seen.push({ who, turn });
    }),
  );
  clearImmediate(timer);
  expect(seen.map(({ who }) => who)).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(seen.map((one) => one.turn)).size).toBe(5);
});
