/** Exponential backoff between connection attempts, up to 8 s, with jitter, so that agents do not reconnect in lockstep. */

import { type Clock, sleep } from './clock.ts';

/** In milliseconds. */
const [firstPause, longestPause] = [250, 8000];
/** In milliseconds: a connection that lasted this long resets the backoff. One that is cut off after each login does not. */
const resetAfter = 30_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: () => number;
  #pause = firstPause;

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** `lasted`: how long the connection lasted, in milliseconds. Rejects when the signal aborts. */
  async wait(lasted: number, signal: AbortSignal): Promise<void> {
    if (lasted >= resetAfter) this.#pause = firstPause;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    await sleep(this.#clock, pause * (0.5 + this.#random() / 2), signal);
  }
}
