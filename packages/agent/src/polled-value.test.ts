import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import { expect, test } from 'vitest';
import { PolledValue } from './polled-value.ts';

function polled(values: (object | Error | undefined)[]) {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  let [reads, changes] = [0, 0];
  const start = async () => {
    const value = await PolledValue.start({
      read: async () => {
        const next = values[Math.min(reads++, values.length - 1)];
        if (next instanceof Error) throw next;
        return next;
      },
      failed: (error) => failures.push(error),
      interval: 1000,
      clock,
    });
    value.onChange(() => changes++);
    return value;
  };
  const pass = () => clock.advance(1000);
  return { start, pass, failures, seen: () => ({ reads, changes }) };
}

test('reports what differs, and keeps what was there when it is gone', async () => {
  const { start, pass, seen } = polled([undefined, { a: 1 }, { a: 1 }, undefined, { a: 2 }]);
  using value = await start();
  expect(value.current()).toBeUndefined();
  await pass();
  expect([value.current(), seen()]).toEqual([{ a: 1 }, { reads: 2, changes: 1 }]);
  await pass();
  await pass();
  expect([value.current(), seen()]).toEqual([{ a: 1 }, { reads: 4, changes: 1 }]);
  await pass();
  expect([value.current(), seen()]).toEqual([{ a: 2 }, { reads: 5, changes: 2 }]);
});

test('a failure is reported once, and reading goes on', async () => {
  const { start, pass, seen, failures } = polled([{ a: 1 }, new Error('x'), new Error('y'), { a: 2 }, new Error('z')]);
  using value = await start();
  await pass();
  await pass();
  expect(failures.map(String)).toEqual(['Error: x']);
  await pass();
  expect(value.current()).toEqual({ a: 2 });
  await pass();
  expect(failures.map(String)).toEqual(['Error: x', 'Error: z']);
  expect(seen().changes).toBe(1);
});

test('ends', async () => {
  const { start, pass, seen } = polled([{ a: 1 }]);
  (await start())[Symbol.dispose]();
  await pass();
  expect(seen().reads).toBe(1);
});
