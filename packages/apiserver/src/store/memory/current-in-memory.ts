/**
 * A store that also keeps the current values in this thread's memory: reads of the latest state neither wait for another thread nor
 * copy. All writes must go through it. It shows exactly the acknowledged writes, which are on disk.
 */

import type { Entry, EventBatch, ObjectStore, Outcome, Range, RangeQuery, StoreWatch, Write } from '../object-store.ts';
import { closed } from '../store-error.ts';
import { ownBytes } from './own-bytes.ts';
import { RecentWrites } from './recent-writes.ts';
import { SortedEntries } from './sorted-entries.ts';

export class CurrentInMemory implements ObjectStore {
  readonly #store: ObjectStore;
  readonly #entries = new SortedEntries();
  readonly #recent = new RecentWrites();
  #revision: number;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  private constructor(store: ObjectStore, { entries, revision }: Range) {
    this.#store = store;
    this.#revision = revision;
    for (const entry of entries) this.#entries.put(entry);
  }

  /** Takes ownership of the store. */
  static async over(store: ObjectStore): Promise<CurrentInMemory> {
    return new CurrentInMemory(store, await store.range({ prefix: '' }));
  }

  async revision(): Promise<number> {
    this.#refuseIfClosed();
    return this.#revision;
  }

  async write(write: Write): Promise<Outcome> {
    const kept = write.op === 'delete' ? write : { ...write, value: ownBytes(write.value) };
    const outcome = await this.#store.write(kept);
    if (outcome.done) this.#apply(kept, outcome.revision);
    return outcome;
  }

  async get(key: string): Promise<{ entry: Entry | undefined; revision: number }> {
    this.#refuseIfClosed();
    return { entry: this.#entries.get(key), revision: this.#revision };
  }

  async range(query: RangeQuery): Promise<Range> {
    const { prefix, after = '', limit, revision = this.#revision, count } = query;
    this.#refuseIfClosed();
    if (revision !== this.#revision) return this.#store.range(query);
    const { entries, remaining } = this.#entries.range(prefix, after, limit ?? Number.POSITIVE_INFINITY);
    return { revision, entries, more: remaining > 0, ...(count ? { remaining } : {}) };
  }

  watch(prefix: string, after: number): StoreWatch {
    const watch = this.#store.watch(prefix, after);
    const reached = (revision: number) => this.#reached(revision);
    const recent = this.#recent;
    return {
      requestProgress: () => watch.requestProgress(),
      [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
      async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch> {
        for await (const batch of watch) {
          // Whoever is notified of a change must find it on reading.
          await reached(batch.revision);
          yield { ...batch, events: batch.events.map((event) => recent.known(event)) };
        }
      },
    };
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
    this.#closed = true;
    this.#wakeAll();
  }

  /** Responses come in the order of revisions, so the content is always a snapshot. */
  #apply(write: Write, revision: number): void {
    const previous = this.#entries.get(write.key)?.value;
    const value = write.op === 'delete' ? undefined : write.value;
    this.#recent.add(revision, { key: write.key, value, previous });
    if (write.op === 'delete') this.#entries.remove(write.key);
    else this.#entries.put({ key: write.key, value: write.value, revision });
    this.#revision = revision;
    this.#wakeAll();
  }

  async #reached(revision: number): Promise<void> {
    while (revision > this.#revision && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw closed();
  }
}
