/** Long work in slices, between which the event loop turns: no request may hold it for more than 50 ms (LIMIT-3). */

import { setImmediate } from 'node:timers/promises';

const slice = 8;

export class Pace {
  private began = performance.now();

  /** Asked often, so that going on costs no promise. */
  get due(): boolean {
    return performance.now() - this.began > slice;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.began = performance.now();
  }
}
