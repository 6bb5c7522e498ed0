/** The worker thread that processes large bodies, one after the other. An unexpected error ends it, which the pool notices. */

import { parentPort } from 'node:worker_threads';
import { StatusError } from '@fleet/kube/status.ts';
import { type BodyJob, type BodyResult, withBuffers } from './body-message.ts';
import { bodyWork } from './body-work.ts';

function resultOf({ work, input }: BodyJob): BodyResult {
  try {
    const does = bodyWork[work] as (...input: unknown[]) => unknown;
    return { is: 'done', output: does(...withBuffers(input)) };
  } catch (error) {
    if (error instanceof StatusError) return { is: 'refused', status: error.toStatus() };
    throw error;
  }
}

parentPort?.on('message', (job: BodyJob) => parentPort?.postMessage(resultOf(job)));
