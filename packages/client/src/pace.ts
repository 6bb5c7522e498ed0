/** Splits long work over many objects into slices, and yields to the event loop between them (LIMIT-3). */

import { nextTurn } from './turns.ts';

export class Pace {
  readonly #slice: number;
  #began = performance.now();

  /** In milliseconds. Shorter if requests wait for the event loop and nothing waits for this work. */
  constructor(slice = 8) {
    this.#slice = slice;
  }

  /** Checked often, so that continuing costs no promise. */
  get isDue(): boolean {
    return performance.now() - this.#began > this.#slice;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
