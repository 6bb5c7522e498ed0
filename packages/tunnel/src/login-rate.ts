/** A rate limit per key: so many within any second. A slot that was taken can be returned. */

import type { Clock } from './clock.ts';

const second = 1000;
/** How many keys are remembered. Beyond that, the least recently used key is dropped. */
const mostKeys = 10_000;

interface Slot {
  at: number;
}

export class LoginRate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** In the order of their last use. */
  readonly #taken = new Map<string, Slot[]>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Keys of the last second, and at most as many older ones. */
  get remembered(): number {
    return this.#taken.size;
  }

  /** Undefined if the limit of the last second is reached. Disposing returns the slot. */
  take(key: string): Disposable | undefined {
    const now = this.#clock.now();
    const slots = (this.#taken.get(key) ?? []).filter(({ at }) => now - at < second);
    const isFree = slots.length < this.#perSecond;
    const slot = { at: now };
    if (isFree) slots.push(slot);
    this.#taken.delete(key);
    this.#taken.set(key, slots);
    this.#forget(now);
    return isFree ? { [Symbol.dispose]: () => this.#giveBack(key, slot) } : undefined;
  }

  #giveBack(key: string, slot: Slot): void {
    const slots = this.#taken.get(key) ?? [];
    const left = slots.filter((one) => one !== slot);
    if (left.length < slots.length) this.#taken.set(key, left);
  }

  #forget(now: number): void {
    for (const [oldest, slots] of this.#taken) {
      const isOver = now - (slots.at(-1)?.at ?? 0) >= second;
      if (!isOver && this.#taken.size <= mostKeys) break;
      this.#taken.delete(oldest);
    }
  }
}
