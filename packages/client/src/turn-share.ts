/**
 * Limits how much of one server's responses is read in one turn of the event loop (LIMIT-3). A server may send more than can be handled
 * while other requests wait, or send single bytes. The excess waits for later turns, in which the responses take turns.
 */

// A named import, which fake timers do not replace: tests with a stopped clock still read bodies.
import { setImmediate } from 'node:timers';

/** A few milliseconds of work. An otherwise idle turn is so short that a fast server does not notice. */
export const perTurn = 4 * 1024 * 1024;

export class TurnShare {
  private left = perTurn;
  private isRefilling = false;
  private readonly waiting = new Set<() => void>();

  /** False if this turn's budget is used up: read nothing more until `resume` is called in a later turn. */
  take(cost: number, resume: () => void): boolean {
    this.left -= cost;
    this.refillLater();
    if (this.left > 0) return true;
    this.waiting.add(resume);
    return false;
  }

  forget(resume: () => void): void {
    this.waiting.delete(resume);
  }

  private refillLater(): void {
    if (this.isRefilling) return;
    this.isRefilling = true;
    setImmediate(this.refill);
  }

  private readonly refill = (): void => {
    this.isRefilling = false;
    this.left = perTurn;
    // First come, first served; a response with more bytes goes to the end of the queue.
    for (const resume of this.waiting) {
      if (this.left <= 0) break;
      this.waiting.delete(resume);
      resume();
    }
    if (this.waiting.size > 0) this.refillLater();
  };
}
