/** Retries requests to servers that do not answer in time. */

import { UnreachableError } from '@fleet/client/upstream.ts';

const mostTries = 5;

/** Tries again what could not reach a server: where many start at once, some do not answer in time. */
export async function retryUnreachable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnreachableError) || tries === mostTries || signal.aborted) throw error;
    }
  }
}
