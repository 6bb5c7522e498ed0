/** Pauses between attempts to reach a member: each twice as long as the last, with jitter, so that watches do not retry in step. */

import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds. */
const [firstPause, longestPause] = [250, 10_000];

export class Backoff {
  private pause = firstPause;

  /** Rejects when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const { pause } = this;
    this.pause = Math.min(pause * 2, longestPause);
    await delay(pause * (0.5 + Math.random()), undefined, { signal });
  }

  /** An attempt has succeeded. */
  reset(): void {
    this.pause = firstPause;
  }
}
