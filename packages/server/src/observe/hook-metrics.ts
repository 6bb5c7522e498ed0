/** Metrics of exploring webhooks: how often each is called, with which result, and how long that takes (EXP-4). */

import { Counter, Histogram, type Registry } from 'prom-client';

export interface HookMetrics {
  /** Counts one call: `success`, or the failure. Names of webhooks are unique in their configuration only. */
  called(hook: { configuration: string; name: string }, operation: string, seconds: number, result: string): void;
}

export function createHookMetrics(registry: Registry): HookMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: 'fleet_explore_hook_calls_total',
    help: 'Calls of exploring webhooks, by operation and result.',
    labelNames: ['configuration', 'hook', 'operation', 'result'],
    registers,
  });
  const duration = new Histogram({
    name: 'fleet_explore_hook_duration_seconds',
    help: 'Time to the answer of an exploring webhook, or to its failure.',
    labelNames: ['configuration', 'hook', 'operation'],
    // The longest deadline of a webhook is 30 seconds.
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  return {
    called({ configuration, name: hook }, operation, seconds, result) {
      calls.inc({ configuration, hook, operation, result });
      duration.observe({ configuration, hook, operation }, seconds);
    },
  };
}
