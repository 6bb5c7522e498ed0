import { expect, it } from 'vitest';
import { reconciling } from './pipeline.ts';
import { fakePipeline } from './testing/fake-pipeline.ts';

it('LIMIT-3: the event loop turns while many objects are looked at that need no write', async () => {
  await using made = await fakePipeline();
  let turn = 0;
  const ticking = setInterval(() => turn++, 0);
  const turns = new Set<number>();
  const busy = async () => {
    const until = performance.now() + 2;
    while (performance.now() < until);
    turns.add(turn);
  };
  // Two steps share what one may take of a turn.
  await using first = reconciling(made.pipeline, 'first', busy);
  await using second = reconciling(made.pipeline, 'second', busy);
  for (let key = 0; key < 50; key++) for (const queue of [first, second]) queue.add(`${key}`, `${key}`);
  await Promise.all([first.idle, second.idle]);
  clearInterval(ticking);
  expect(turns.size).toBeGreaterThan(5);
});
