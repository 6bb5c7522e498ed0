/** How long the event loop was held up (LIMIT-3): whatever holds it delays every other request. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Looked at every 10 ms; what is measured is the time between two looks, so that much of it is no delay. */
const resolution = 10;

const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1e3);

/** Since the last time somebody asked: a maximum of all time would tell of the start for ever. */
export function countLoopDelay(registry: Registry): Disposable {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  new Gauge({
    name: 'fleet_event_loop_delay_seconds',
    help: 'How long the event loop was held up, since this was last read.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      this.set({ quantile: '0.5' }, beyond(delays.percentile(50)));
      this.set({ quantile: '0.99' }, beyond(delays.percentile(99)));
      this.set({ quantile: '1' }, beyond(delays.max));
      delays.reset();
    },
  });
  return {
    [Symbol.dispose]() {
      delays.disable();
    },
  };
}
