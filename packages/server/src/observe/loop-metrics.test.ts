import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { countLoopDelay } from './loop-metrics.ts';

const worst = async (registry: Registry) =>
  Number(/fleet_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(await registry.metrics())?.[1]);

it('LIMIT-3: what holds the event loop is told, until it has been read', async () => {
  const registry = new Registry();
  using _ = countLoopDelay(registry);
  await sleep(30);
  const end = performance.now() + 120;
  while (performance.now() < end);
  await sleep(30);
  expect(await worst(registry)).toBeGreaterThan(0.1);
  // A busy machine may hold the loop again: each reading tells only what came after the one before.
  await expect.poll(() => worst(registry)).toBeLessThan(0.1);
});
