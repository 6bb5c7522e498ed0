/** The last events of one resource, within limits. */

import type { SharedEvent } from './shared-event.ts';

export interface HistoryLimits {
  events: number;
  bytes: number;
}

export class History {
  readonly #limits: HistoryLimits;
  #events: (SharedEvent | undefined)[] = [];
  /** Events before this index were dropped; the array is trimmed occasionally. */
  #first = 0;
  #bytes = 0;
  #floor: number;

  constructor(floor: number, limits: HistoryLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  /** All events after this revision are available. */
  get floor(): number {
    return this.#floor;
  }

  add(event: SharedEvent): void {
    const last = this.#events.at(-1);
    // By now it was sent to all watchers.
    if (last?.isLarge) last.forget();
    this.#events.push(event);
    this.#bytes += event.size;
    while (this.#events.length - this.#first > this.#limits.events || this.#bytes > this.#limits.bytes)
      this.#dropFirst();
    if (this.#first > this.#limits.events) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** In the order of revisions. */
  since(revision: number): SharedEvent[] {
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low) as SharedEvent[];
  }

  #dropFirst(): void {
    const gone = this.#events[this.#first]!;
    this.#events[this.#first] = undefined;
    this.#first += 1;
    this.#bytes -= gone.size;
    this.#floor = gone.revision;
  }
}
