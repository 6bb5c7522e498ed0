import { expect, it } from 'vitest';
import { buildLock } from './build-lock.ts';

it('is held by one at a time, and handed on', async () => {
  const order: string[] = [];
  const first = await buildLock('/here');
  const waiting = Promise.withResolvers<void>();
  const second = buildLock('/here', waiting.resolve).then((lock) => {
    order.push('second');
    return lock;
  });
  await waiting.promise;
  order.push('first ends');
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  expect(order).toEqual(['first ends', 'second']);
});

it('does not hold up another folder', async () => {
  await using _one = await buildLock('/one');
  await using _other = await buildLock('/other', () => expect.unreachable());
});
