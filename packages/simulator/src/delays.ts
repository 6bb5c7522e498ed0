/**
 * How long things take: seconds as in a real cluster, divided by a factor, with seeded jitter, so that tests are fast and exact.
 * Timestamps in objects stay those of the real clock.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from './seeded-random.ts';

export interface DelayOptions {
  /** Real delays are divided by it. */
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

  /** In milliseconds of this process; `jitter` is the largest part that is added at random. */
  millis(seconds: number, jitter = 0): number {
    // Exact delays take nothing from the sequence: what they are asked for how often changes no other delay.
    const extra = jitter === 0 ? 0 : jitter * this.#random();
    return (seconds * 1000 * (1 + extra)) / this.#factor;
  }

  /** Rejects when the signal is aborted. */
  async wait(seconds: number, signal: AbortSignal, jitter = 0): Promise<void> {
    await delay(this.millis(seconds, jitter), undefined, { signal, ref: false });
  }
}
