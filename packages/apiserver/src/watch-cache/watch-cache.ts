/**
 * Serves the watches of one resource from one watch of the store: each change is decoded once, and encoded once in each form.
 * Without watchers there is no watch of the store either.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { expired } from '@fleet/kube/status.ts';
import type { Entry, ObjectStore, StoreWatch } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';
import { History, type HistoryLimits } from './history.ts';
import { type Looking, looksAtNothing, type Read, type Selects, SharedEvent } from './shared-event.ts';
import { type Watched, Watcher, type WatchOptions } from './watcher.ts';

export interface QueueLimits {
  events: number;
  bytes: number;
}

export interface WatchCacheOptions {
  store: ObjectStore;
  /** The prefix of all keys of the resource. */
  prefix: string;
  read: Read;
  history?: HistoryLimits;
  /** How much may be queued for one watcher; a slower one is ended. */
  queueLimits?: QueueLimits;
  bookmarkMillis?: number;
  /** The delay before the store is watched again after a failure. */
  retryMillis?: number;
}

export interface WatchRequest extends WatchOptions {
  /** Where to start: after a revision, or with the initial list, optionally followed by the initial-events-end bookmark. */
  from: { after: number | 'now' } | { state: 'plain' | 'bookmarked' };
  /** Narrower than the resource, such as one namespace. */
  prefix?: string;
  signal: AbortSignal;
}

/** Initial objects read in one step. */
const statePage = 100;
/** Bytes of such objects that are prepared for a watcher at a time. */
const portionBytes = 1 << 20;

export class WatchCache implements AsyncDisposable {
  readonly #options: Required<WatchCacheOptions>;
  /** With the limits of their queues. */
  readonly #watchers = new Map<Watcher, QueueLimits>();
  /** Watchers that still receive initial events. */
  #beginning = 0;
  /** Resolves when the store is watched; undefined while that is not needed. */
  #following: Promise<void> | undefined;
  #history: History;
  #feed: StoreWatch | undefined;
  #bookmarks: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: WatchCacheOptions) {
    this.#options = {
      history: { events: 1_000, bytes: 8 << 20 },
      queueLimits: { events: 1_000, bytes: 16 << 20 },
      bookmarkMillis: 60_000,
      retryMillis: 1_000,
      ...options,
    };
    this.#history = new History(0, this.#options.history);
  }

  /** Ends when the caller's signal aborts, or when the watcher is too slow: then the client may resume. */
  watch({ from, prefix = this.#options.prefix, signal, ...options }: WatchRequest): Watched {
    const selects: Selects = (object) => object.key.startsWith(prefix) && options.selects(object);
    const watcher = new Watcher('after' in from && from.after !== 'now' ? from.after : 0, { ...options, selects });
    const end = (): void => {
      watcher.end();
      this.#watchers.delete(watcher);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    this.#beginning += 1;
    this.#begin(watcher, from, prefix)
      .catch((error: unknown) => watcher.end(error))
      .finally(() => {
        this.#beginning -= 1;
      });
    return watcher;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#endAll();
    this.#rest();
    await this.#running;
  }

  #follow(): Promise<void> {
    this.#following ??= this.#start().catch((error: unknown) => {
      this.#following = undefined;
      throw error;
    });
    return this.#following;
  }

  async #start(): Promise<void> {
    const { store, prefix, history, bookmarkMillis } = this.#options;
    const revision = await store.revision();
    await this.#running;
    if (this.#closed) return;
    this.#history = new History(revision, history);
    this.#feed = store.watch(prefix, revision);
    this.#bookmarks = setInterval(() => this.#turn(), bookmarkMillis);
    this.#bookmarks.unref();
    this.#running = this.#run(this.#feed);
  }

  #turn(): void {
    if (this.#watchers.size > 0 || this.#beginning > 0) this.#feed?.requestProgress();
    else this.#rest();
  }

  /** Without watchers, later events are only in the store's log. */
  #rest(): void {
    clearInterval(this.#bookmarks);
    void this.#feed?.[Symbol.asyncDispose]();
    this.#feed = undefined;
    this.#following = undefined;
    this.#history = new History(0, this.#options.history);
  }

  async #begin(watcher: Watcher, from: WatchRequest['from'], prefix: string): Promise<void> {
    if ('state' in from) {
      await this.#follow();
      return this.#join(watcher, await this.#offerState(watcher, from.state, prefix));
    }
    const after = from.after === 'now' ? await this.#options.store.revision() : from.after;
    if (from.after === 'now') watcher.endState(after, false);
    await this.#follow();
    return this.#join(watcher, after);
  }

  /** Events that this cache does not have are in the store's log until they are compacted. */
  async #catchUp(watcher: Watcher, after: number): Promise<number> {
    await using past = this.#options.store.watch(this.#options.prefix, after);
    past.requestProgress();
    try {
      for await (const { events, revision } of past) {
        const shared = events.map((event) => new SharedEvent(event, this.#options.read));
        await lookAt(shared, watcher.looking);
        watcher.offer(shared);
        if (revision >= this.#history.floor || watcher.ended) return revision;
        await watcher.drained();
      }
    } catch (thrown) {
      if (!(thrown instanceof StoreError && thrown.fault === 'compacted')) throw thrown;
      throw expired(`too old resource version: ${after} (${thrown.limit})`, { cause: thrown });
    }
    return after;
  }

  async #offerState(watcher: Watcher, state: 'plain' | 'bookmarked', prefix: string): Promise<number> {
    const { store, read } = this.#options;
    let page = await store.range({ prefix, limit: statePage });
    for (;;) {
      for (const entries of portions(page.entries)) {
        // A slow watcher holds one portion, not the whole initial list.
        await watcher.drained();
        const state = entries.map((entry) => SharedEvent.ofEntry(entry, read));
        await lookAt(state, watcher.looking);
        watcher.offerState(state);
      }
      if (!page.more || watcher.ended) break;
      await watcher.drained();
      const after = page.entries.at(-1)!.key;
      page = await store.range({ prefix, limit: statePage, after, revision: page.revision });
    }
    watcher.endState(page.revision, state === 'bookmarked');
    return page.revision;
  }

  /** From here on it receives events together with all others. */
  #join(watcher: Watcher, reached: number): void | Promise<void> {
    // While the initial list was read, the history may have dropped the events after it.
    if (reached < this.#history.floor && !watcher.ended) {
      return this.#catchUp(watcher, reached).then((revision) => this.#join(watcher, revision));
    }
    const missed = this.#history.since(reached);
    const looking = lookAt(missed, watcher.looking);
    if (looking && !watcher.ended) return looking.then(() => this.#join(watcher, reached));
    watcher.offer(missed);
    if (watcher.ended || this.#closed) return watcher.end();
    // Its initial events do not count as slowness.
    const { events, bytes } = this.#options.queueLimits;
    this.#watchers.set(watcher, { events: watcher.waiting + events, bytes: watcher.waitingBytes + bytes });
  }

  /** Runs until the feed ends. */
  async #run(feed: StoreWatch): Promise<void> {
    while (this.#feed === feed) {
      try {
        for await (const batch of feed) {
          const shared = batch.events.map((event) => new SharedEvent(event, this.#options.read));
          const looking = shared.some(({ isLarge }) => isLarge) ? lookAt(shared, this.#looking) : undefined;
          if (looking) await looking;
          if (this.#feed === feed) this.#publish(shared, batch.revision);
        }
      } catch (error) {
        this.#endAll(error);
        if (error instanceof StoreError && error.fault === 'closed') return;
        if (await this.#beginAgain(feed)) return this.#run(this.#feed);
      }
    }
  }

  /** After an error, such as a value that cannot be decrypted. Watchers are ended, as they would miss events. */
  async #beginAgain(feed: StoreWatch): Promise<boolean> {
    await sleep(this.#options.retryMillis, undefined, { ref: false });
    const { store, prefix, history } = this.#options;
    try {
      const revision = await store.revision();
      if (this.#feed !== feed) return false;
      this.#history = new History(revision, history);
      this.#feed = store.watch(prefix, revision);
      this.#endAll();
      return true;
    } catch {
      // The feed is still the old one; reading it throws the error.
      return false;
    }
  }

  #endAll(error?: unknown): void {
    for (const watcher of this.#watchers.keys()) watcher.end(error);
    this.#watchers.clear();
  }

  /** The most that any watcher's selectors read. */
  get #looking(): Looking {
    let furthest = looksAtNothing;
    for (const { looking } of this.#watchers.keys()) if (looking > furthest) furthest = looking;
    return furthest;
  }

  #publish(shared: readonly SharedEvent[], revision: number): void {
    for (const event of shared) this.#history.add(event);
    for (const [watcher, limits] of this.#watchers) {
      this.#offer(watcher, shared);
      // Batches without events answer the request for progress.
      if (shared.length === 0) watcher.mark(revision);
      if (watcher.waiting > limits.events || watcher.waitingBytes > limits.bytes) watcher.end();
      if (watcher.ended) this.#watchers.delete(watcher);
    }
  }

  /** An unreadable event ends the watchers that would be sent it. */
  #offer(watcher: Watcher, events: readonly SharedEvent[]): void {
    try {
      watcher.offer(events);
    } catch (error) {
      watcher.end(error);
    }
  }
}

/** Portions of about a mebibyte. */
function* portions(entries: readonly Entry[]): Generator<Entry[]> {
  let portion: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    portion.push(entry);
    bytes += entry.value.length;
    if (bytes < portionBytes) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

/** Undefined if there is no need to wait. */
function lookAt(events: readonly SharedEvent[], by: Looking): Promise<void> | undefined {
  const long = events.filter((event) => event.isLongFor(by));
  return long.length > 0 ? lookInTurn(long, by) : undefined;
}

async function lookInTurn(events: readonly SharedEvent[], by: Looking): Promise<void> {
  for (const event of events) await event.look(by);
}
