/** Long work over many objects in slices, between which the event loop turns (LIMIT-3). */

import { nextTurn } from './turns.ts';

/** In milliseconds. */
const slice = 8;

export class Pace {
  #began = performance.now();

  /** Asked often, so that going on costs no promise. */
  get isDue(): boolean {
    return performance.now() - this.#began > slice;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
