import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { countLines } from './line-metrics.ts';

it('LIMIT-2: what members have to answer, and what waits, is reported as it is at the moment', async () => {
  const registry = new Registry();
  const lines = new Map([['m1', { inUse: 3, waiting: 2 }]]);
  countLines(registry, () => lines);
  const text = await registry.metrics();
  expect(text).toContain('fleet_member_requests_in_flight{cluster="m1"} 3');
  expect(text).toContain('fleet_member_requests_waiting{cluster="m1"} 2');
  lines.clear();
  expect(await registry.metrics()).not.toContain('m1');
});
