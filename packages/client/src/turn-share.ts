/**
 * How much of one server's answers is read in one turn of the event loop (LIMIT-3). A server may send more than can be handled
 * while others wait, or bytes one by one. What comes beyond waits for a later turn, each answer when its time comes.
 */

// By name: a test that stands still in time still reads bodies.
import { setImmediate } from 'node:timers';

/** A few milliseconds of work. A turn with nothing else to do is so short that a fast server does not notice. */
export const perTurn = 4 * 1024 * 1024;

export class TurnShare {
  private left = perTurn;
  private isRefilling = false;
  private readonly waiting = new Set<() => void>();

  /** False if the share of this turn is used up: nothing more is to be read until `resume` is called, in a later one. */
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
    // Who has waited longest comes first; one that has more to come is added behind the others.
    for (const resume of this.waiting) {
      if (this.left <= 0) break;
      this.waiting.delete(resume);
      resume();
    }
    if (this.waiting.size > 0) this.refillLater();
  };
}
