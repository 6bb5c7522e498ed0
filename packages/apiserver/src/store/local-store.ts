/** A store on this thread: writes of one turn are committed together, and watches are notified after each commit. */

import type { Commit, Engine } from './engine.ts';
import { EventFeed } from './event-feed.ts';
import type { Entry, ObjectStore, Outcome, Range, RangeQuery, StoreWatch, Write } from './object-store.ts';
import { closed, StoreError } from './store-error.ts';

/** The maximum of writes in one transaction: those that arrived during the previous one. */
const groupLimit = 500;

interface Waiting {
  write: Write;
  settle: PromiseWithResolvers<Outcome>;
}

export class LocalStore implements ObjectStore {
  readonly #engine: Engine;
  readonly #feed: EventFeed;
  readonly #waiting: Waiting[] = [];
  #scheduled = false;
  #sweeping = false;
  #closed = false;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#feed = new EventFeed(engine);
    // Continues what an earlier process did not finish.
    this.#sweep();
  }

  async revision(): Promise<number> {
    this.#refuseIfClosed();
    return this.#engine.revision;
  }

  async write(write: Write): Promise<Outcome> {
    this.#refuseIfClosed();
    const settle = Promise.withResolvers<Outcome>();
    this.#waiting.push({ write, settle });
    this.#schedule();
    return settle.promise;
  }

  async get(key: string): Promise<{ entry: Entry | undefined; revision: number }> {
    this.#refuseIfClosed();
    return { entry: this.#engine.get(key), revision: this.#engine.revision };
  }

  async range(query: RangeQuery): Promise<Range> {
    this.#refuseIfClosed();
    return this.#engine.range(query);
  }

  watch(prefix: string, after: number): StoreWatch {
    return this.#feed.watch(prefix, after);
  }

  async compact(revision: number): Promise<void> {
    this.#refuseIfClosed();
    this.#engine.compact(revision);
    this.#sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    while (this.#waiting.length > 0) this.#commitGroup();
    this.#closed = true;
    this.#feed.close();
    this.#engine[Symbol.dispose]();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After everything else in this turn of the event loop.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#commitGroup();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#waiting.splice(0, groupLimit);
    let commit: Commit;
    try {
      commit = this.#engine.commit(group.map(({ write }) => write));
    } catch (error) {
      this.#commitEach(group, error);
      return;
    }
    this.#publish(group, commit);
  }

  /** Commits one by one: an error of one write, such as its size, must not fail the others. */
  #commitEach(group: readonly Waiting[], error: unknown): void {
    if (group.length === 1) {
      group[0]!.settle.reject(error);
      return;
    }
    for (const one of group) {
      try {
        this.#publish([one], this.#engine.commit([one.write]));
      } catch (own) {
        one.settle.reject(own);
      }
    }
  }

  #publish(group: readonly Waiting[], commit: Commit): void {
    for (const [index, { settle }] of group.entries()) settle.resolve(commit.outcomes[index]!);
    this.#feed.publish(commit);
    this.#boundHistory();
  }

  /** After the commit that exceeded the limit. */
  #boundHistory(): void {
    const revision = this.#engine.excess;
    if (revision === undefined) return;
    try {
      this.#engine.compact(revision);
      this.#sweep();
    } catch (error) {
      // As in sweeping: the next commit tries again.
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** In steps, with writes and reads in between. After an error, the next compaction continues. */
  #sweep(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    setImmediate(() => {
      this.#sweeping = false;
      try {
        if (!this.#closed && this.#engine.sweep()) this.#sweep();
      } catch (error) {
        // No caller waits here: every writer gets the error of a full or failed disk.
        if (!(error instanceof StoreError)) throw error;
      }
    });
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw closed();
  }
}
