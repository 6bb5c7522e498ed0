/** So many in a second for each key, over the last second at any time. A place that was taken may be given back. */

import type { Clock } from './clock.ts';

const second = 1000;
/** Keys that are remembered. With more than these, the one that has been silent for longest is forgotten. */
const mostKeys = 10_000;

interface Place {
  at: number;
}

export class LoginRate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** In the order in which they were asked for last. */
  readonly #taken = new Map<string, Place[]>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Keys of the last second, and up to as many of before. */
  get remembered(): number {
    return this.#taken.size;
  }

  /** Undefined: as many as there may be were taken within the last second. Disposing gives the place back. */
  take(key: string): Disposable | undefined {
    const now = this.#clock.now();
    const places = (this.#taken.get(key) ?? []).filter(({ at }) => now - at < second);
    const isFree = places.length < this.#perSecond;
    const place = { at: now };
    if (isFree) places.push(place);
    this.#taken.delete(key);
    this.#taken.set(key, places);
    this.#forget(now);
    return isFree ? { [Symbol.dispose]: () => this.#giveBack(key, place) } : undefined;
  }

  #giveBack(key: string, place: Place): void {
    const places = this.#taken.get(key) ?? [];
    const left = places.filter((one) => one !== place);
    if (left.length < places.length) this.#taken.set(key, left);
  }

  #forget(now: number): void {
    for (const [oldest, places] of this.#taken) {
      const isOver = now - (places.at(-1)?.at ?? 0) >= second;
      if (!isOver && this.#taken.size <= mostKeys) break;
      this.#taken.delete(oldest);
    }
  }
}
