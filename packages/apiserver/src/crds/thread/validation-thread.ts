/** The worker thread for expensive validation. */

import { parentPort } from 'node:worker_threads';
import { type Answered, type Asked, createRunner } from './jobs.ts';

if (!parentPort) throw new Error('to be started as a worker');
const run = createRunner();
const say = (message: Answered): void => parentPort?.postMessage(message);

parentPort.on('message', ({ id, job }: Asked) => {
  try {
    say({ id, errors: run(job) });
  } catch (thrown) {
    say({ id, failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
});
