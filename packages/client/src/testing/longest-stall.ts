/** Measures how long work holds the event loop. */

import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** In milliseconds. */
export async function longestStall(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // A delay is counted from the sample before it: without one, and without one after the work, a stall is in none.
  await nextSample(delay);
  await work();
  await nextSample(delay);
  delay.disable();
  return delay.max / 1e6;
}

async function nextSample(delay: ELDHistogram): Promise<void> {
  const { count } = delay;
  while (delay.count === count) await new Promise((resolve) => setTimeout(resolve, 5));
}
