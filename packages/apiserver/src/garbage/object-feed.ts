/**
 * A snapshot of the store, followed by every change in the order of revisions. One watch over all kinds: after a change, all
 * earlier writes of any kind have been delivered.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from '@fleet/client/pace.ts';
import type { ObjectStore, StoreEvent, StoreWatch } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';

export interface ObjectFeedOptions {
  store: Pick<ObjectStore, 'range' | 'watch' | 'revision'>;
  prefix: string;
  /** A snapshot begins: until it ends, `onChange` is called for every existing object. */
  onSnapshot(): void;
  onSynced(): void;
  /** `previous` is absent in a snapshot and for new objects. */
  onChange(change: Pick<StoreEvent, 'key' | 'value' | 'previous'>): void | Promise<void>;
  onError(error: unknown): void;
  /** The delay before a new snapshot, after a watch was cut. */
  retryMillis: number;
}

const pageSize = 100;

export class ObjectFeed implements AsyncDisposable {
  readonly #options: ObjectFeedOptions;
  readonly #ending = new AbortController();
  readonly #pace = new Pace();
  readonly #running: Promise<void>;
  #watch: StoreWatch | undefined;
  /** Everything up to this revision has been delivered; 0 while a snapshot is read. */
  #reached = 0;
  #waiting: { revision: number; resolve(): void; reject(why: unknown): void }[] = [];

  constructor(options: ObjectFeedOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Resolves when everything that is now in the store has been delivered; throws if the feed ends before. */
  async caughtUp(): Promise<void> {
    const { signal } = this.#ending;
    const revision = await this.#options.store.revision();
    signal.throwIfAborted();
    if (revision <= this.#reached) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ revision, resolve, reject });
    this.#watch?.requestProgress();
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const { reject } of this.#waiting) reject(this.#ending.signal.reason);
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    const { onError, retryMillis } = this.#options;
    let isBehind = false;
    while (!signal.aborted) {
      try {
        const revision = await this.#readAll();
        isBehind = false;
        await this.#follow(revision);
      } catch (error) {
        // A watch that falls behind a busy store starts a new snapshot. If that is repeatedly too slow, it is reported.
        const isCompacted = error instanceof StoreError && error.fault === 'compacted';
        if (!signal.aborted && (isBehind || !isCompacted)) onError(error);
        isBehind = isCompacted;
      }
      this.#reached = 0;
      await sleep(retryMillis, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Reads a snapshot at one revision. */
  async #readAll(): Promise<number> {
    const { store, prefix, onSnapshot, onSynced } = this.#options;
    onSnapshot();
    let after: string | undefined;
    let revision: number | undefined;
    for (;;) {
      const page = await store.range({ prefix, limit: pageSize, after, revision });
      for (const { key, value } of page.entries) await this.#send({ key, value });
      revision = page.revision;
      if (!page.more || this.#ending.signal.aborted) break;
      after = page.entries.at(-1)!.key;
    }
    onSynced();
    this.#release(revision);
    return revision;
  }

  async #follow(after: number): Promise<void> {
    if (this.#ending.signal.aborted) return;
    await using watch = this.#options.store.watch(this.#options.prefix, after);
    this.#watch = watch;
    if (this.#waiting.length > 0) watch.requestProgress();
    for await (const { events, revision } of watch) {
      for (const event of events) await this.#send(event);
      this.#release(revision);
    }
  }

  #send(change: StoreEvent | Pick<StoreEvent, 'key' | 'value'>): void | Promise<void> {
    const { onChange } = this.#options;
    return this.#pace.isDue ? this.#pace.rest().then(() => onChange(change)) : onChange(change);
  }

  #release(revision: number): void {
    this.#reached = revision;
    const due = this.#waiting.filter((one) => one.revision <= revision);
    this.#waiting = this.#waiting.filter((one) => one.revision > revision);
    for (const { resolve } of due) resolve();
  }
}
