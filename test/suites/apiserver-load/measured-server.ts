/** The embedded API server in a process that reports what it holds and how long its event loop was held. */

import { readdirSync } from 'node:fs';
import { HeldLoop, type Stall } from './held-loop.ts';

export interface Measured {
  longest: number;
  stalls: Stall[];
  files: number;
  /** Of the main thread, once what nobody needs is gone. */
  megabytes: number;
}

const loop = new HeldLoop();
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('to be started with --expose-gc');

const asked = process.send?.bind(process);
process.on('message', () => {
  // Collecting holds the loop, too: that is of our own making.
  const held = loop.take();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const measured: Measured = {
    ...held,
    files: readdirSync('/proc/self/fd').length,
    megabytes: (heapUsed + external) / 1024 / 1024,
  };
  setTimeout(() => {
    loop.take();
    asked?.(measured);
  }, 50);
});

await import('../embedded/api-server.ts');
// Who listens for questions would never end.
process.disconnect?.();
