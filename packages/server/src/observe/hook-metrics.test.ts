import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createHookMetrics } from './hook-metrics.ts';

it('EXP-4: calls of webhooks are counted by operation and result, and their time by operation', async () => {
  const registry = new Registry();
  const metrics = createHookMetrics(registry);
  const hook = { configuration: 'databases', name: 'mysql.example.com' };
  metrics.called(hook, 'replica', 0.02, 'success');
  metrics.called(hook, 'replica', 10, 'timeout');
  metrics.called(hook, 'healthy', 0.3, 'success');
  metrics.called({ ...hook, configuration: 'others' }, 'healthy', 0.3, 'success');
  const lines = (await registry.metrics()).split('\n');
  const series = (name: string) => lines.filter((line) => line.startsWith(`fleet_explore_hook_${name}{`));
  expect(series('calls_total')).toEqual([
    'fleet_explore_hook_calls_total{configuration="databases",hook="mysql.example.com",operation="replica",result="success"} 1',
    'fleet_explore_hook_calls_total{configuration="databases",hook="mysql.example.com",operation="replica",result="timeout"} 1',
    'fleet_explore_hook_calls_total{configuration="databases",hook="mysql.example.com",operation="healthy",result="success"} 1',
    'fleet_explore_hook_calls_total{configuration="others",hook="mysql.example.com",operation="healthy",result="success"} 1',
  ]);
  expect(series('duration_seconds_count')).toEqual([
    'fleet_explore_hook_duration_seconds_count{configuration="databases",hook="mysql.example.com",operation="replica"} 2',
    'fleet_explore_hook_duration_seconds_count{configuration="databases",hook="mysql.example.com",operation="healthy"} 1',
    'fleet_explore_hook_duration_seconds_count{configuration="others",hook="mysql.example.com",operation="healthy"} 1',
  ]);
});
