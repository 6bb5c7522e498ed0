/** Measures how long work blocks the event loop. */

import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** In milliseconds. */
export async function longestStall(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // A delay is measured from the sample before it: a stall is only seen with one sample before and one after the work.
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
