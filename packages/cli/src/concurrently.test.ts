import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { concurrently } from './concurrently.ts';

const { signal } = new AbortController();

test('all are done, some at a time', async () => {
  let [running, most] = [0, 0];
  const done: number[] = [];
  await concurrently(
    Array.from({ length: 30 }, (_, index) => index),
    signal,
    async (one) => {
      most = Math.max(most, ++running);
      await turn();
      running--;
      done.push(one);
    },
  );
  expect(done.toSorted((a, b) => a - b)).toHaveLength(30);
  expect(most).toBe(8);
});

test('after an error nothing starts, and the error is thrown when nothing is running', async () => {
  let [begun, ended] = [0, 0];
  const failing = concurrently(Array.from({ length: 30 }), signal, async () => {
    const isFirst = ++begun === 1;
    await turn();
    ended++;
    if (isFirst) throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(begun).toBeLessThan(30);
  expect(ended).toBe(begun);
});

test('nor does an interruption', async () => {
  await expect(concurrently([1], AbortSignal.abort(new Error('interrupted')), async () => {})).rejects.toThrow(
    'interrupted',
  );
});
