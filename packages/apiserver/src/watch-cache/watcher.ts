/** One watch of a client, with its queue, which ends it if the client is too slow. */

import { bookmark, type Looking, looksAtNothing, type Selects, type SharedEvent, type Told } from './shared-event.ts';

export interface WatchOptions {
  selects: Selects;
  looking?: Looking;
  /** Send bookmarks with the progress. */
  bookmarks: boolean;
}

/** Receives events through calls, without a promise for each. */
export interface Follower {
  /** False: no more until the watch is resumed. */
  tell(told: Told): boolean;
  /** No more events follow. */
  end(error: unknown): void;
}

/** The events of a watch: iterated, or pushed to a follower. */
export interface Watched extends AsyncIterable<Told> {
  follow(follower: Follower): void;
  resume(): void;
}

export class Watcher implements Watched {
  readonly #options: WatchOptions;
  #queue: Told[] = [];
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
      const told = event.for(this.#options.selects);
      if (told) this.#put(told);
    }
  }

  /** The initial list at a revision, or a part of it. */
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
      const told = this.#take();
      if (!told) break;
      this.#tell(told);
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
    if (this.#follower && !this.#isHeld) this.#tell(told);
    else {
      this.#queue.push(told);
      this.#waitingBytes += told.size;
      this.#wakeReader?.();
    }
  }

  #tell(told: Told): void {
    try {
      this.#isHeld = this.#follower?.tell(told) === false;
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

  #take(): Told | undefined {
    const told = this.#queue[this.#taken];
    if (told) {
      this.#taken += 1;
      this.#waitingBytes -= told.size;
      return told;
    }
    this.#queue = [];
    this.#taken = 0;
    return undefined;
  }
}
