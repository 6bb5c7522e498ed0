/** Metrics of the event loop: its delay, and the work per turn (LIMIT-3). A long turn delays every other request. */

import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** In milliseconds: the sampling interval. The measured value includes it, so it is subtracted. */
const resolution = 10;

const seconds = (nanoseconds: number): number => nanoseconds / 1e9;
const beyond = (nanoseconds: number): number => Math.max(0, seconds(nanoseconds) - resolution / 1e3);

export function countLoopDelay(registry: Registry): Disposable {
  const delays = monitorEventLoopDelay({ resolution });
  const worked = createHistogram();
  delays.enable();
  const looking = recordWork(worked);
  publish(registry, 'fleet_event_loop_delay_seconds', 'How long the event loop was held up', delays, beyond);
  publish(registry, 'fleet_event_loop_work_seconds', 'CPU time of one turn of the event loop', worked, seconds);
  return {
    [Symbol.dispose]() {
      delays.disable();
      clearInterval(looking);
    },
  };
}

/** A delay may be caused by other processes on a busy machine. This is the time of our own code alone. */
function recordWork(worked: RecordableHistogram): NodeJS.Timeout {
  let before = process.threadCpuUsage();
  return setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worked.record(Math.max(1, Math.round((user + system) * 1e3)));
  }, resolution).unref();
}

type Recorded = Pick<RecordableHistogram, 'percentile' | 'max' | 'count' | 'reset'>;

/** Since the last time that metrics were read: a maximum of all time would show the start for ever. */
function publish(
  registry: Registry,
  name: string,
  help: string,
  of: Recorded,
  value: (recorded: number) => number,
): void {
  new Gauge({
    name,
    help: `${help}, since this was last read.`,
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      this.set({ quantile: '0.5' }, value(of.percentile(50)));
      this.set({ quantile: '0.99' }, value(of.percentile(99)));
      // The maximum of an empty histogram is its lowest possible value.
      this.set({ quantile: '1' }, of.count === 0 ? 0 : value(of.max));
      of.reset();
    },
  });
}
