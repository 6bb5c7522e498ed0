/**
 * The duration of simulated actions: as in a real cluster, divided by a factor, with seeded jitter, so that tests are fast and
 * reproducible. Timestamps in objects are those of the real clock.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from './seeded-random.ts';

export interface DelayOptions {
  /** The divisor of real delays. */
  factor?: number | undefined;
  seed?: number | undefined;
}

export class Delays {
  readonly #factor: number;
  readonly #random: () => number;

  constructor({ factor = 1, seed = 1 }: DelayOptions = {}) {
    this.#factor = factor;
    this.#random = seededRandom(seed);
  }

  /** In [0, 1). */
  random(): number {
    return this.#random();
  }

  /** In milliseconds of this process; `jitter` is the maximum that is added at random. */
  millis(seconds: number, jitter = 0): number {
    // Delays without jitter draw no random number, so that they do not affect other delays.
    const extra = jitter === 0 ? 0 : jitter * this.#random();
    return (seconds * 1000 * (1 + extra)) / this.#factor;
  }

  /** Rejects when the signal is aborted. */
  async wait(seconds: number, signal: AbortSignal, jitter = 0): Promise<void> {
    await delay(this.millis(seconds, jitter), undefined, { signal, ref: false });
  }
}
