/** Things to look at, one after the other, each once however often it is named; what fails is tried again later. */

export class WorkQueue<Item> {
  readonly #waiting = new Map<string, Item>();
  readonly #work: (item: Item) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #retryMillis: number;
  readonly #retries = new Set<NodeJS.Timeout>();
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(work: (item: Item) => Promise<void>, onError: (error: unknown) => void, retryMillis: number) {
    this.#work = work;
    this.#onError = onError;
    this.#retryMillis = retryMillis;
  }

  add(key: string, item: Item): void {
    if (this.#closed) return;
    this.#waiting.set(key, item);
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const retry of this.#retries) clearTimeout(retry);
    await this.#running;
  }

  async #run(): Promise<void> {
    // Not within the call that added the first.
    await Promise.resolve();
    for (const [key, item] of this.#waiting) {
      this.#waiting.delete(key);
      await this.#work(item).catch((error: unknown) => {
        if (this.#closed) return;
        this.#onError(error);
        this.#later(key, item);
      });
    }
    this.#running = undefined;
  }

  #later(key: string, item: Item): void {
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      this.add(key, item);
    }, this.#retryMillis);
    retry.unref();
    this.#retries.add(retry);
  }
}
