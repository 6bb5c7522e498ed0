/** One watch of a client: what waits for it, until it takes it or is too slow. */

import type { Selects, SharedEvent, Told } from './shared-event.ts';
import { bookmark } from './shared-event.ts';

export interface WatchOptions {
  selects: Selects;
  /** Tell now and then how far everything has been told. */
  bookmarks: boolean;
}

export class Watcher implements AsyncIterable<Told> {
  readonly #options: WatchOptions;
  #queue: Told[] = [];
  #taken = 0;
  /** Up to here all that it selects is in the queue or was taken. */
  #reached: number;
  #ended: { error: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(after: number, options: WatchOptions) {
    this.#reached = after;
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.length - this.#taken;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Those that it was told before, or does not want, are left out. */
  offer(events: readonly SharedEvent[]): void {
    for (const event of events) {
      if (event.revision <= this.#reached) continue;
      this.#reached = event.revision;
      const told = event.for(this.#options.selects);
      if (told) this.#put(told);
    }
  }

  /** What is there at a revision, or a part of it. */
  offerState(state: readonly SharedEvent[]): void {
    for (const event of state) {
      const told = event.for(this.#options.selects);
      if (told) this.#put(told);
    }
  }

  endState(revision: number, withBookmark: boolean): void {
    this.#reached = revision;
    if (withBookmark) this.#put(bookmark(revision, true));
  }

  /** All up to there was offered. */
  mark(revision: number): void {
    if (revision < this.#reached) return;
    this.#reached = revision;
    if (this.#options.bookmarks) this.#put(bookmark(revision));
  }

  /** Without an error the client begins again where it was. What waits is still given out, unless there is an error. */
  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** When all that was offered has been taken. */
  async drained(): Promise<void> {
    while (this.waiting > 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Told> {
    try {
      for (;;) {
        if (this.#ended?.error) throw this.#ended.error;
        const told = this.#take();
        if (told) {
          yield told;
          continue;
        }
        if (this.#ended) return;
        this.#wakeWriter?.();
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    } finally {
      this.end();
    }
  }

  #put(told: Told): void {
    if (this.#ended) return;
    this.#queue.push(told);
    this.#wakeReader?.();
  }

  #take(): Told | undefined {
    const told = this.#queue[this.#taken];
    if (told) {
      this.#taken += 1;
      return told;
    }
    this.#queue = [];
    this.#taken = 0;
    return undefined;
  }
}
