import { expect, test } from 'vitest';
import { Deliveries } from './deliveries.ts';

const hold = (milliseconds: number) => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test('LIMIT-3: a thousand watchers do not hold the event loop: others have their turns in between', async () => {
  const deliveries = new Deliveries();
  const { promise, resolve } = Promise.withResolvers<void>();
  let flushed = 0;
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  for (let index = 0; index < 40; index++) {
    const flush = () => {
      hold(2);
      if (++flushed === 40) resolve();
    };
    deliveries.add({ flush });
  }
  await promise;
  clearInterval(others);
  // 80 ms of work in turns of 10 ms at most.
  expect(turns).toBeGreaterThanOrEqual(7);
});

test('one that is added twice before its turn is written to once', async () => {
  const deliveries = new Deliveries();
  let flushed = 0;
  const one = { flush: () => flushed++ };
  deliveries.add(one);
  deliveries.add(one);
  await expect.poll(() => flushed).toBe(1);
  deliveries.add(one);
  await expect.poll(() => flushed).toBe(2);
});
