/** The worker thread for expensive validation. */

import { parentPort } from 'node:worker_threads';
import { type Answered, type Asked, createRunner } from './jobs.ts';

if (!parentPort) throw new Error('must be started as a worker thread');
const run = createRunner();
const send = (message: Answered): void => parentPort?.postMessage(message);

parentPort.on('message', ({ id, job }: Asked) => {
  try {
    send({ id, errors: run(job) });
  } catch (thrown) {
    send({ id, failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
});
