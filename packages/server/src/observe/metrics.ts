/** The server's metrics, in the format of Prometheus. */

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { createHookMetrics } from './hook-metrics.ts';

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Counter({
      name: 'fleet_requests_total',
      help: 'Requests by verb, place and code.',
      labelNames: ['verb', 'place', 'code'],
      registers: [registry],
    }),
    duration: new Histogram({
      name: 'fleet_request_duration_seconds',
      help: 'Time to the head of the answer.',
      labelNames: ['verb', 'place'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    }),
    missing: new Counter({
      name: 'fleet_list_members_missing_total',
      help: 'Lists that were sent without a member that could not answer.',
      labelNames: ['cluster'],
      registers: [registry],
    }),
    hooks: createHookMetrics(registry),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
