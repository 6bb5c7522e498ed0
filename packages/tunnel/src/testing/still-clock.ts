/** A clock that stands still until a test advances it. */

import type { Clock } from '../clock.ts';

export class StillClock implements Clock {
  readonly #timers = new Set<{ at: number; call: () => void }>();
  #time = 1_000_000;

  now(): number {
    return this.#time;
  }

  timer(millis: number, call: () => void): Disposable {
    const timer = { at: this.#time + millis, call };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Calls the timers that fall due, in order. */
  advance(millis: number): void {
    const until = this.#time + millis;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#time = next.at;
      next.call();
    }
    this.#time = until;
  }
}
