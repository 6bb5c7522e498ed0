/** Exponential backoff with jitter between attempts to reach a member, so that watches do not retry in lockstep. */

import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds. */
const [firstPause, longestPause] = [250, 10_000];

/** Rejects when the signal aborts. */
export type Sleep = (millis: number, signal: AbortSignal) => Promise<void>;

const machineSleep: Sleep = (millis, signal) => delay(millis, undefined, { signal });

export class Backoff {
  private readonly sleep: Sleep;
  private pause = firstPause;

  constructor(sleep: Sleep = machineSleep) {
    this.sleep = sleep;
  }

  /** Rejects when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const { pause } = this;
    this.pause = Math.min(pause * 2, longestPause);
    await this.sleep(pause * (0.5 + Math.random()), signal);
  }

  /** Called after a successful attempt. */
  reset(): void {
    this.pause = firstPause;
  }
}
