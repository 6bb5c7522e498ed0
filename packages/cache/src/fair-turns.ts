/**
 * A queue of short steps that yields to the event loop every few milliseconds. Without it, one event that wakes a thousand watches,
 * or a search that reads page after page without waiting for I/O, would block the loop until all is done (LIMIT-3).
 */

import type { Clock } from './time-slice.ts';

/** In milliseconds. It includes what the callers do with their results in the same turn. */
const turn = 5;

export class FairTurns {
  private readonly clock: Clock;
  private waiting: (() => void)[] = [];
  /** When the first step of this turn began; undefined if there was none yet. */
  private began: number | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Runs the step now, or in a later turn, behind all that are queued. Rejects if the signal aborts before. */
  do<Result>(step: () => Result, signal?: AbortSignal): Promise<Result> {
    const run = (): Result => {
      signal?.throwIfAborted();
      return step();
    };
    if (this.waiting.length === 0 && !this.isOver()) return new Promise((resolve) => resolve(run()));
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(run());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private isOver(): boolean {
    const now = this.clock();
    if (this.began !== undefined) return now - this.began >= turn;
    this.began = now;
    setImmediate(() => this.next());
    return false;
  }

  private next(): void {
    this.began = undefined;
    const steps = this.waiting;
    let done = 0;
    while (done < steps.length && !this.isOver()) steps[done++]!();
    // Includes steps that were queued meanwhile, behind the others.
    this.waiting = steps.slice(done);
  }
}
