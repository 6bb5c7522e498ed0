/**
 * A controller's work queue, as in client-go: an item that is added again while it waits is processed once, one that is added
 * while it is processed is processed once more afterwards, and no item is processed twice at the same time. An item that fails, or is
 * not done yet, is retried with its own exponential backoff.
 */

import { timerMillis } from '@fleet/kube/timer-millis.ts';

export interface WorkQueueOptions<Item> {
  /** Whether it is done. */
  work(item: Item): Promise<boolean>;
  onError(error: unknown): void;
  /** The first backoff, and the maximum. */
  retryMillis?: number;
  longestRetryMillis?: number;
  /** How many items are processed at the same time. */
  workers?: number;
  /** Checked between items: yields to the event loop when many are due at once. */
  pace?: { readonly isDue: boolean; rest(): Promise<void> } | undefined;
}

export class WorkQueue<Item> implements AsyncDisposable {
  readonly #options: Required<WorkQueueOptions<Item>>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  readonly #delayed = new Map<string, { timer: NodeJS.Timeout; due: number }>();
  /** The last backoff of each item that has failed. */
  readonly #backoffs = new Map<string, number>();
  #idle: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor({ retryMillis = 1_000, ...options }: WorkQueueOptions<Item>) {
    this.#options = { retryMillis, longestRetryMillis: 8 * retryMillis, workers: 1, pace: undefined, ...options };
  }

  /** Immediately, even if the item waits for a retry. The newest item of a key is processed. */
  add(key: string, item: Item): void {
    if (this.#closed) return;
    clearTimeout(this.#retries.get(key));
    this.#retries.delete(key);
    this.#waiting.set(key, item);
    this.#next();
  }

  /** After a delay, independent of what happens to the item until then. Of several delays of a key, the earliest counts. */
  addAfter(key: string, item: Item, millis: number): void {
    if (this.#closed) return;
    if (millis <= 0) {
      this.add(key, item);
      return;
    }
    const due = performance.now() + millis;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.#delayed.delete(key);
      this.add(key, item);
    }, timerMillis(millis));
    timer.unref();
    this.#delayed.set(key, { timer, due });
  }

  /** Resolves when everything added has been tried. Items that wait for a retry or a delay do not count. */
  get idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const retry of this.#retries.values()) clearTimeout(retry);
    this.#retries.clear();
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    await Promise.all(this.#running.values());
  }

  get #isIdle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0;
  }

  #next(): void {
    for (const [key, item] of this.#waiting) {
      if (this.#running.size === this.#options.workers) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key, item));
    }
    if (this.#isIdle) this.#idle?.resolve();
    if (this.#isIdle) this.#idle = undefined;
  }

  async #run(key: string, item: Item): Promise<void> {
    // Asynchronous, so that adding never processes within the caller's call.
    await Promise.resolve();
    const { pace } = this.#options;
    if (pace?.isDue) await pace.rest();
    const isDone = this.#closed || (await this.#work(item));
    this.#running.delete(key);
    if (isDone) this.#backoffs.delete(key);
    else if (!this.#closed && !this.#waiting.has(key)) this.#retry(key, item);
    this.#next();
  }

  async #work(item: Item): Promise<boolean> {
    try {
      return await this.#options.work(item);
    } catch (error) {
      if (!this.#closed) this.#options.onError(error);
      return false;
    }
  }

  #retry(key: string, item: Item): void {
    const { retryMillis, longestRetryMillis } = this.#options;
    const backoff = Math.min((this.#backoffs.get(key) ?? retryMillis / 2) * 2, longestRetryMillis);
    this.#backoffs.set(key, backoff);
    const retry = setTimeout(() => this.add(key, item), backoff);
    retry.unref();
    this.#retries.set(key, retry);
  }
}
