import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { labelStates, pacedChanges, pacedFilter } from './paced.ts';

const busy = (millis: number): void => {
  const end = performance.now() + millis;
  while (performance.now() < end);
};

/** How many fit at most into one turn of the event loop. */
async function mostPerTurn(count: () => number, all: number): Promise<number> {
  let most = 0;
  let before = count();
  while (count() < all) {
    await nextTurn();
    most = Math.max(most, count() - before);
    before = count();
  }
  return most;
}

it('lets the event loop turn between the objects that changes concern, however many come at once', async () => {
  const looked: string[] = [];
  const errors: unknown[] = [];
  const change = pacedChanges<{ name: string }, number>({
    othersOf: () => [1, 2, 3, 4, 5],
    look(other, { name }) {
      busy(3);
      looked.push(`${name}${other}`);
      if (other === 5) throw new Error(name);
    },
    onError: (error) => errors.push(error),
  });
  for (const name of ['a', 'b', 'c', 'd']) change({ name });
  expect(await mostPerTurn(() => looked.length, 20)).toBeLessThan(10);
  expect(looked).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [1, 2, 3, 4, 5].map((other) => `${name}${other}`)));
  expect(errors).toHaveLength(4);
  change({ name: 'e' });
  await mostPerTurn(() => looked.length, 25);
  expect(looked.at(-1)).toBe('e5');
});

it('filters in slices', async () => {
  let tested = 0;
  const found = pacedFilter([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (one) => {
    busy(3);
    tested += 1;
    return one % 5 === 0;
  });
  expect(await mostPerTurn(() => tested, 10)).toBeLessThan(8);
  expect(await found).toEqual([5, 10]);
});

it('looks at what an object was only if its labels were others', () => {
  const [one, same, other] = ['x', 'x', 'y'].map((app) => ({ metadata: { name: 'p', labels: { app } } }));
  expect(labelStates(one, undefined)).toEqual([one]);
  expect(labelStates(undefined, one)).toEqual([one]);
  expect(labelStates(one, same)).toEqual([one]);
  expect(labelStates(other, one)).toEqual([other, one]);
});
