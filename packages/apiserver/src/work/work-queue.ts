/**
 * Things to look at, each once however often it is named meanwhile, a few at a time; what is not done, or fails, is looked at
 * again later, each time after twice as long.
 */

import { Pace } from '../work/pace.ts';

export interface WorkQueueOptions<Item> {
  /** Whether it is done. */
  work(item: Item): Promise<boolean>;
  onError(error: unknown): void;
  /** Before it is looked at again: at first, and at most. */
  retryMillis: number;
  longestRetryMillis?: number;
  /** How many are looked at at the same time. */
  lanes?: number;
}

export class WorkQueue<Item> {
  readonly #options: Required<WorkQueueOptions<Item>>;
  readonly #waiting = new Map<string, Item>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  /** How long each waited last. */
  readonly #waits = new Map<string, number>();
  /** Many may be looked at again in the same second (LIMIT-3). */
  readonly #pace = new Pace();
  #closed = false;

  constructor(options: WorkQueueOptions<Item>) {
    this.#options = { longestRetryMillis: 8 * options.retryMillis, lanes: 1, ...options };
  }

  add(key: string, item: Item): void {
    if (this.#closed) return;
    clearTimeout(this.#retries.get(key));
    this.#retries.delete(key);
    this.#waiting.set(key, item);
    this.#next();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const retry of this.#retries.values()) clearTimeout(retry);
    await Promise.all(this.#running.values());
  }

  #next(): void {
    for (const [key, item] of this.#waiting) {
      if (this.#running.size === this.#options.lanes) return;
      // What is named while it is looked at is looked at once more, afterwards.
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#run(key, item));
    }
  }

  async #run(key: string, item: Item): Promise<void> {
    // Never within the call that added it.
    await Promise.resolve();
    if (this.#pace.isDue) await this.#pace.rest();
    const isDone = this.#closed || (await this.#work(item));
    this.#running.delete(key);
    if (isDone) this.#waits.delete(key);
    else if (!this.#closed && !this.#waiting.has(key)) this.#later(key, item);
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

  #later(key: string, item: Item): void {
    const { retryMillis, longestRetryMillis } = this.#options;
    const wait = Math.min((this.#waits.get(key) ?? retryMillis / 2) * 2, longestRetryMillis);
    this.#waits.set(key, wait);
    const retry = setTimeout(() => this.add(key, item), wait);
    retry.unref();
    this.#retries.set(key, retry);
  }
}
