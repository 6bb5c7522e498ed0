/** A clock that a test advances by hand. Bodies and promises get turns of the event loop in between. */

import type { Clock } from '../clock.ts';

interface Timer {
  at: number;
  call: () => void;
}

/** How many turns follow a timer: replies, bodies and their readers take some turns each. */
const turns = 12;

export async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class ManualClock implements Clock {
  private time: number;
  private readonly timers = new Set<Timer>();

  constructor(time = 1_000_000) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  timer(millis: number, call: () => void): Disposable {
    const timer = { at: this.time + millis, call };
    this.timers.add(timer);
    return { [Symbol.dispose]: () => void this.timers.delete(timer) };
  }

  get pending(): number {
    return this.timers.size;
  }

  /** Moves the time without calling timers. */
  skip(millis: number): void {
    this.time += millis;
  }

  /** Calls the timers that fall due, in order, each at its own time. */
  async advance(millis: number): Promise<void> {
    const until = this.time + millis;
    await settled();
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      const [next] = due;
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.call();
      await settled();
    }
    this.time = until;
    await settled();
  }

  /** Advances until the condition holds; throws after `within`. */
  async until(condition: () => boolean, within = 600_000, step = 250): Promise<void> {
    const limit = this.time + within;
    await settled();
    while (!condition()) {
      if (this.time >= limit) throw new Error(`the condition does not hold after ${within} ms`);
      await this.advance(step);
    }
  }
}
