/** Pauses between attempts to connect: each twice as long as the last, 8 s at most, with jitter, so that agents do not come in step. */

import { type Clock, sleep } from './clock.ts';

/** In milliseconds. */
const [firstPause, longestPause] = [250, 8000];
/** A connection that lasted so long was a good one. One that is cut off again and again after its login is none. */
const goodAfter = 30_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: () => number;
  #pause = firstPause;

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** `lasted`: how long the connection was there, in milliseconds. Rejects when the signal aborts. */
  async wait(lasted: number, signal: AbortSignal): Promise<void> {
    if (lasted >= goodAfter) this.#pause = firstPause;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    await sleep(this.#clock, pause * (0.5 + this.#random() / 2), signal);
  }
}
