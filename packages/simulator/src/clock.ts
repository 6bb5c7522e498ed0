/** The clock as an argument, so that tests need not wait. */

import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  wait(millis: number, signal: AbortSignal): Promise<void>;
}

/** The limit of timers. */
const longestWait = 2_147_483_647;

export const realClock: Clock = {
  now: Date.now,
  wait: (millis, signal) => delay(Math.min(Math.max(millis, 0), longestWait), undefined, { signal, ref: false }),
};
