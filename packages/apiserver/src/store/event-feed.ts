/** Delivers commits to the watches of one thread; a watch that lags behind reads the engine's log. */

import type { Commit, Engine } from './engine.ts';
import { type EventBatch, type StoreEvent, type StoreWatch, valueBytes } from './object-store.ts';
import { closed } from './store-error.ts';

/** In bytes, per watch. Further events are read from the log on demand. */
const queueLimit = 1 << 20;
/** Events read from the log at a time. */
const pageLimits = { events: 200, bytes: 1 << 20 };

const sizeOf = (events: readonly StoreEvent[]): number => events.reduce((sum, event) => sum + valueBytes(event), 0);

export class EventFeed {
  readonly #engine: Engine;
  readonly #watches = new Set<FeedWatch>();
  #closed = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  watch(prefix: string, after: number): StoreWatch {
    const watch = new FeedWatch(this.#engine, prefix, after, () => this.#watches.delete(watch));
    if (this.#closed) watch.end();
    else this.#watches.add(watch);
    return watch;
  }

  publish(commit: Commit): void {
    for (const watch of this.#watches) watch.offer(commit);
  }

  close(): void {
    this.#closed = true;
    for (const watch of this.#watches) watch.end();
  }
}

class FeedWatch implements StoreWatch {
  readonly #engine: Engine;
  readonly #prefix: string;
  readonly #leave: () => void;
  readonly #queue: EventBatch[] = [];
  #queued = 0;
  /** The revision up to which the queue reaches. If it is less than the engine's revision, later events are in the log. */
  #reached: number;
  #progressRequested = false;
  #state: 'open' | 'left' | 'closed' = 'open';
  #wake: (() => void) | undefined;

  constructor(engine: Engine, prefix: string, after: number, leave: () => void) {
    this.#engine = engine;
    this.#prefix = prefix;
    this.#reached = after;
    this.#leave = leave;
  }

  offer({ events, from, to }: Commit): void {
    if (this.#reached < from || this.#reached >= to || this.#queued > queueLimit) {
      this.#wake?.();
      return;
    }
    const mine = events.filter(({ key, revision }) => revision > this.#reached && key.startsWith(this.#prefix));
    this.#reached = to;
    if (mine.length === 0) return;
    this.#queue.push({ events: mine, revision: to });
    this.#queued += sizeOf(mine);
    this.#wake?.();
  }

  requestProgress(): void {
    this.#progressRequested = true;
    this.#wake?.();
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'closed';
    this.#wake?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'left';
    this.#leave();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
    try {
      while (this.#state === 'open') {
        const batch = this.#next();
        if (batch) {
          yield batch;
          continue;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
      if (this.#state === 'closed') throw closed();
    } finally {
      this.#leave();
    }
  }

  #next(): EventBatch | undefined {
    const waiting = this.#queue.shift();
    if (waiting) {
      this.#queued -= sizeOf(waiting.events);
      return waiting;
    }
    // A page is read only after the previous one was taken: a slow reader holds at most one.
    while (this.#reached < this.#engine.revision) {
      const page = this.#engine.changes(this.#prefix, this.#reached, pageLimits);
      this.#reached = page.revision;
      if (page.events.length > 0) return page;
    }
    if (!this.#progressRequested || this.#reached > this.#engine.revision) return undefined;
    this.#progressRequested = false;
    return { events: [], revision: this.#reached };
  }
}
