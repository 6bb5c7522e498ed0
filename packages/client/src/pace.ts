/** Long work over many objects in slices, between which the event loop turns (LIMIT-3). */

import { nextTurn } from './turns.ts';

export class Pace {
  readonly #slice: number;
  #began = performance.now();

  /** In milliseconds. Less where somebody waits for the event loop and nobody for this work. */
  constructor(slice = 8) {
    this.#slice = slice;
  }

  /** Asked often, so that going on costs no promise. */
  get isDue(): boolean {
    return performance.now() - this.#began > this.#slice;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
