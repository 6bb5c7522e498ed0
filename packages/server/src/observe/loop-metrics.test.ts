import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { countLoopDelay } from './loop-metrics.ts';

type Published = 'delay' | 'work';

const worst = async (registry: Registry, published: Published) =>
  Number(
    new RegExp(`fleet_event_loop_${published}_seconds\\{quantile="1"\\} (\\S+)`).exec(await registry.metrics())?.[1],
  );

const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
};

it.each<Published>(['delay', 'work'])(
  'LIMIT-3: the %s of what holds the event loop is reported, until it has been read',
  async (published) => {
    const registry = new Registry();
    using _ = countLoopDelay(registry);
    await sleep(30);
    const end = cpu() + 120;
    while (cpu() < end);
    await sleep(30);
    expect(await worst(registry, published)).toBeGreaterThan(0.1);
    // A busy machine may hold the loop again: each reading reports only what came after the one before.
    await expect.poll(() => worst(registry, published)).toBeLessThan(0.1);
  },
);

it('time in which the thread does not run is delay, and no work', async () => {
  const registry = new Registry();
  using _ = countLoopDelay(registry);
  await sleep(30);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
  await sleep(30);
  const published = await registry.metrics();
  const of = (name: Published) => Number(new RegExp(`${name}_seconds\\{quantile="1"\\} (\\S+)`).exec(published)?.[1]);
  expect(of('delay')).toBeGreaterThan(0.1);
  expect(of('work')).toBeLessThan(0.1);
});
