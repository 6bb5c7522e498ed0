/** One watch of a client, with its queue, which ends it if the client is too slow. */

import {
  bookmark,
  type Looking,
  looksAtNothing,
  type Selects,
  type SharedEvent,
  type WatchEvent,
} from './shared-event.ts';

export interface WatchOptions {
  selects: Selects;
  looking?: Looking;
  /** Send bookmarks with the progress. */
  bookmarks: boolean;
}

/** Receives events through calls, without a promise for each. */
export interface Follower {
  /** False: no more until the watch is resumed. */
  send(next: WatchEvent): boolean;
  /** No more events follow. */
  end(error: unknown): void;
}

/** The events of a watch: iterated, or pushed to a follower. */
export interface Watched extends AsyncIterable<WatchEvent> {
  follow(follower: Follower): void;
  resume(): void;
}

export class Watcher implements Watched {
  readonly #options: WatchOptions;
  #queue: WatchEvent[] = [];
  #taken = 0;
  #waitingBytes = 0;
  /** All selected events up to here are in the queue or were taken. */
  #reached: number;
  #ended: { error: unknown } | undefined;
  #follower: Follower | undefined;
  /** The follower has requested a pause. */
  #isHeld = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(after: number, options: WatchOptions) {
    this.#reached = after;
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.length - this.#taken;
  }

  /** Of the queued events. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get looking(): Looking {
    return this.#options.looking ?? looksAtNothing;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Skips events that it was sent before, or does not select. */
  offer(events: readonly SharedEvent[]): void {
    for (const event of events) {
      if (event.revision <= this.#reached) continue;
      this.#reached = event.revision;
      const next = event.for(this.#options.selects);
      if (next) this.#put(next);
    }
  }

  /** The initial list at a revision, or a part of it. */
  offerState(state: readonly SharedEvent[]): void {
    for (const event of state) {
      const next = event.for(this.#options.selects);
      if (next) this.#put(next);
    }
  }

  endState(revision: number, withBookmark: boolean): void {
    this.#reached = revision;
    if (withBookmark) this.#put(bookmark(revision, true));
  }

  /** All events up to there were offered. */
  mark(revision: number): void {
    if (revision < this.#reached) return;
    this.#reached = revision;
    if (this.#options.bookmarks) this.#put(bookmark(revision));
  }

  /** Without an error the client may resume. Queued events are still delivered, unless there is an error. */
  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wakeReader?.();
    this.#wakeWriter?.();
    this.#endFollower();
  }

  follow(follower: Follower): void {
    this.#follower = follower;
    this.resume();
  }

  resume(): void {
    this.#isHeld = false;
    while (!this.#isHeld && this.#follower) {
      const next = this.#take();
      if (!next) break;
      this.#send(next);
    }
    if (this.waiting === 0) this.#wakeWriter?.();
    this.#endFollower();
  }

  /** Resolves when everything offered has been taken. */
  async drained(): Promise<void> {
    while (this.waiting > 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent> {
    try {
      for (;;) {
        if (this.#ended?.error) throw this.#ended.error;
        const next = this.#take();
        if (next) {
          yield next;
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

  #put(next: WatchEvent): void {
    if (this.#ended) return;
    if (this.#follower && !this.#isHeld) this.#send(next);
    else {
      this.#queue.push(next);
      this.#waitingBytes += next.size;
      this.#wakeReader?.();
    }
  }

  #send(next: WatchEvent): void {
    try {
      this.#isHeld = this.#follower?.send(next) === false;
    } catch (error) {
      this.end(error);
    }
  }

  /** Once, and after the queued events. */
  #endFollower(): void {
    if (!this.#ended || !this.#follower || (this.waiting > 0 && !this.#ended.error)) return;
    const follower = this.#follower;
    this.#follower = undefined;
    follower.end(this.#ended.error);
  }

  #take(): WatchEvent | undefined {
    const next = this.#queue[this.#taken];
    if (next) {
      this.#taken += 1;
      this.#waitingBytes -= next.size;
      return next;
    }
    this.#queue = [];
    this.#taken = 0;
    return undefined;
  }
}
