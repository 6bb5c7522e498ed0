/** Polls a value that has no change notification: mounted files, or Secrets behind a kubeconfig. */

import { isDeepStrictEqual } from 'node:util';
import { type Clock, machineClock } from '@fleet/client/clock.ts';

export interface PolledOptions<Value> {
  /** Undefined while there is none. */
  read(): Promise<Value | undefined>;
  /** Reading failed; the last value is kept. Called once until reading succeeds again. */
  failed(error: unknown): void;
  /** In milliseconds. */
  interval: number;
  clock?: Clock | undefined;
}

export class PolledValue<Value> implements Disposable {
  readonly #options: PolledOptions<Value>;
  readonly #listeners = new Set<() => void>();
  #current: Value | undefined;
  #timer: Disposable | undefined;
  #isOver = false;
  #hasFailed = false;

  private constructor(options: PolledOptions<Value>) {
    this.#options = options;
  }

  /** Reads the first value; its error is thrown to the caller. */
  static async start<Value>(options: PolledOptions<Value>): Promise<PolledValue<Value>> {
    const polled = new PolledValue(options);
    polled.#current = await options.read();
    polled.#wait();
    return polled;
  }

  current(): Value | undefined {
    return this.#current;
  }

  onChange(call: () => void): Disposable {
    this.#listeners.add(call);
    return { [Symbol.dispose]: () => void this.#listeners.delete(call) };
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }

  #wait(): void {
    const { clock = machineClock, interval } = this.#options;
    if (!this.#isOver) this.#timer = clock.timer(interval, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    try {
      const value = await this.#options.read();
      this.#hasFailed = false;
      // A value that is absent for a moment, while it is replaced, is kept.
      if (value !== undefined && !isDeepStrictEqual(value, this.#current)) {
        this.#current = value;
        for (const call of [...this.#listeners]) call();
      }
    } catch (error) {
      if (!this.#hasFailed) this.#options.failed(error);
      this.#hasFailed = true;
    }
    this.#wait();
  }
}
