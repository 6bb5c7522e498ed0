/**
 * Steps of work that many ask for at once, done in turns of the event loop: a thousand watches that one event wakes, or a search
 * that asks again and again without ever waiting for anything, would hold it until all is done (LIMIT-3).
 */

import type { Clock } from './time-slice.ts';

/** In milliseconds, with what those do who were answered. */
const turn = 5;

export class FairTurns {
  private readonly clock: Clock;
  private waiting: (() => void)[] = [];
  /** When the first step of this turn was done; undefined where none was. */
  private began: number | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** At once, or behind all others in one of the next turns. */
  do<Result>(step: () => Result): Promise<Result> {
    if (this.waiting.length === 0 && !this.isOver()) return new Promise((resolve) => resolve(step()));
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(step());
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
    // Those that a step has added are behind the others.
    this.waiting = steps.slice(done);
  }
}
