/** A shard on the main thread: its feeds, the memory that they share, and the reads that they answer (CACHE-6, CACHE-18). */

import { isDeepStrictEqual } from 'node:util';
import { isOlder } from '@fleet/kube/version-order.ts';
import { FairTurns } from './fair-turns.ts';
import { Feed, type FeedContext } from './feed.ts';
import {
  answering,
  columnsOf,
  eventsOrRefusal,
  positionAt,
  refusedEvents,
  refusedForm,
  showsRow,
  typeMetaOf,
} from './feed-answers.ts';
import { CacheFullError, type FeedWriter } from './feed-writer.ts';
import type { HistoryLimits } from './history.ts';
import { ItemForms } from './item-forms.ts';
import { LostVersions } from './lost-versions.ts';
import type {
  EventsAnswer,
  EventsAsk,
  FeedId,
  FeedSpec,
  FeedState,
  GetAnswer,
  GetAsk,
  HasAnswer,
  HasAsk,
  Health,
  ReadAnswer,
  ReadAsk,
  SeqOfAnswer,
  SeqOfAsk,
  Shard,
  ShardStat,
  Want,
} from './messages.ts';
import { ObjectFilters } from './object-filters.ts';
import { readEvents } from './read-events.ts';
import { hasObject, readObject } from './read-object.ts';
import { readPage } from './read-page.ts';
import { SlicedWork } from './sliced-work.ts';
import { StateListeners } from './state-listeners.ts';
import { StoredObjects } from './stored-objects.ts';
import type { Clock } from './time-slice.ts';

export interface ShardOptions {
  /** In bytes, for slabs, indexes and history together (`--cache-memory`). */
  limit: number;
  segmentSize?: number;
  /** The managedFields of how many objects form a generation; left out: in proportion to all objects. */
  compressedAtOnce?: number;
  history?: HistoryLimits;
  now?: () => number;
  /** Measures how long a step takes. */
  clock?: Clock;
  /** Starts to fill a feed. The result is disposed of before the feed is removed. */
  fill?: (spec: FeedSpec, writer: FeedWriter, report: (health: Health) => void) => Disposable;
}

const defaultSegment = 16 * 1024 * 1024;
const defaultHistory: HistoryLimits = { milliseconds: 5 * 60_000, events: 1_000 };
/** In milliseconds: how long watches can read the deletions of a removed cluster. */
const goodbyeKept = 60_000;
/** In milliseconds. */
const maintenanceInterval = 1_000;
/** In milliseconds: how long to reclaim memory before an object is refused as too much. */
const longestReclaim = 5;

const gone = { is: 'gone' } as const;
const floor = { is: 'floor' } as const;

/** There are no events yet; `change` resolves when there may be. */
interface Nothing {
  is: 'nothing';
  change: Promise<void>;
}

export class MemoryShard implements Shard {
  private readonly options: ShardOptions;
  private readonly objects: StoredObjects;
  private readonly forms: ItemForms;
  private readonly filters: ObjectFilters;
  private readonly historyBytes = { used: 0 };
  private readonly goodbyeBytes = { used: 0 };
  private readonly feeds = new Map<FeedId, Feed>();
  private readonly filling = new Map<FeedId, Disposable>();
  private readonly listeners = new StateListeners(() => this.feedStates());
  private readonly context: FeedContext;
  private readonly clock: Clock;
  private readonly turns: FairTurns;
  private readonly timer: NodeJS.Timeout;
  private highestSeq = 0;
  private readonly work = new SlicedWork((isTimeUp) => this.objects.compact(isTimeUp));

  constructor(options: ShardOptions) {
    this.options = options;
    const now = options.now ?? Date.now;
    this.clock = options.clock ?? (() => performance.now());
    this.turns = new FairTurns(this.clock);
    this.objects = new StoredObjects({
      segmentSize: options.segmentSize ?? defaultSegment,
      reserve: (bytes) => this.reserve(bytes),
      compressedAtOnce: options.compressedAtOnce,
    });
    this.forms = new ItemForms(this.objects);
    this.filters = new ObjectFilters(this.objects);
    this.context = {
      objects: this.objects,
      historyBytes: this.historyBytes,
      goodbyeBytes: this.goodbyeBytes,
      historyLimits: options.history ?? defaultHistory,
      lost: new LostVersions(),
      mostHistory: () => options.limit / 10,
      now,
      newSeq: () => ++this.highestSeq,
      changed: (feed) => {
        this.highestSeq = Math.max(this.highestSeq, feed.table?.seq ?? 0);
        this.listeners.changed(feed.spec.id, feed.state);
      },
      later: (work) => this.work.add(work),
    };
    this.timer = setInterval(() => this.maintain(), maintenanceInterval).unref();
  }

  /** The feed, for a writer or a synchronous reader; undefined if it was removed. */
  writer(id: FeedId): Feed | undefined {
    const feed = this.feeds.get(id);
    return feed?.isLeaving ? undefined : feed;
  }

  /** Whether its cluster was removed, and its objects are being reported as deleted. */
  isLeaving(id: FeedId): boolean {
    return this.feeds.get(id)?.isLeaving ?? false;
  }

  async want({ feeds, goodbye = [], moved = [] }: Want): Promise<void> {
    const specs = new Map(feeds.map((spec) => [spec.id, spec]));
    const leaving = new Set(goodbye);
    for (const id of moved) this.feeds.get(id)?.loseVersions();
    for (const [id, { spec, isLeaving }] of [...this.feeds]) {
      const now = specs.get(id);
      // Thousands of specs are compared whenever one is added, and most are identical: a deep comparison is rare.
      const isSame = now === spec || isDeepStrictEqual(now, spec);
      if (isLeaving ? now : !isSame) this.drop(id, !now && leaving.has(id));
    }
    for (const [id, spec] of specs) {
      if (this.feeds.has(id)) continue;
      const feed = new Feed(spec, this.context);
      this.feeds.set(id, feed);
      this.listeners.changed(id, feed.state);
      const filling = this.options.fill?.(spec, feed, (health) => feed.report(health));
      if (filling) this.filling.set(id, filling);
    }
  }

  read(ask: ReadAsk, signal?: AbortSignal): Promise<ReadAnswer> {
    return this.turns.do(() => this.readNow(ask), signal);
  }

  get(ask: GetAsk, signal?: AbortSignal): Promise<GetAnswer> {
    return this.turns.do(() => readObject(this.feeds.get(ask.feed), this.objects, ask, this.forms), signal);
  }

  has(ask: HasAsk, signal?: AbortSignal): Promise<HasAnswer> {
    return this.turns.do(() => hasObject(this.feeds.get(ask.feed), ask), signal);
  }

  async events(ask: EventsAsk, signal?: AbortSignal): Promise<EventsAnswer> {
    for (;;) {
      const answer = await this.turns.do(() => this.eventsNow(ask, signal), signal);
      if (answer.is !== 'nothing') return answer;
      await answer.change;
    }
  }

  async seqOf({ feed: id, version, wait = 0 }: SeqOfAsk, signal?: AbortSignal): Promise<SeqOfAnswer> {
    const until = performance.now() + wait;
    for (;;) {
      const feed = this.feeds.get(id);
      const table = answering(feed);
      if (!feed || !table) return gone;
      const found = version === table.position ? table.seq : table.history.seqOf(version, table.position);
      if (typeof found === 'number') return { is: 'seq', seq: found };
      // What looks lost may be a new version that the stream is about to reach: the member assigns the same numbers again.
      const left = found === 'not-yet' || isOlder(table.position, version) ? until - performance.now() : 0;
      if (left <= 0) return found === 'not-yet' ? { is: found, position: table.position } : { is: found };
      await feed.nextChange(signal, left);
    }
  }

  async stat(): Promise<ShardStat> {
    const { objects, historyBytes, goodbyeBytes } = this;
    return {
      feeds: this.feeds.size,
      objects: [...this.feeds.values()].reduce((sum, { table }) => sum + (table?.keys.size ?? 0), 0),
      bytes: this.used,
      limit: this.options.limit,
      slabs: objects.slab.allocated,
      live: objects.slab.live,
      history: historyBytes.used + goodbyeBytes.used,
      managedFields: objects.managed.bytes,
    };
  }

  states(listener: (states: readonly FeedState[]) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Trims histories, compacts, and drops feeds of removed clusters. Called every second. */
  maintain(): void {
    const now = this.context.now();
    for (const [id, feed] of [...this.feeds]) {
      // The deletions of a removed cluster, which may exceed any limit of the history, are kept until watches have read them.
      if (!feed.isLeaving) feed.trim();
      if (feed.leftAt !== undefined && now - feed.leftAt >= goodbyeKept) this.forget(id, feed);
    }
    this.work.go();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer);
    for (const id of [...this.feeds.keys()]) this.drop(id, false);
    this.work[Symbol.dispose]();
    this.listeners[Symbol.dispose]();
  }

  private get used(): number {
    let keys = 0;
    for (const { table } of this.feeds.values()) keys += table?.keys.bytes ?? 0;
    return this.objects.bytes + keys;
  }

  private readNow(ask: ReadAsk): ReadAnswer {
    const feed = this.feeds.get(ask.feed);
    const table = answering(feed);
    if (!feed || !table) return gone;
    const seq = ask.at === 'now' ? table.seq : ask.at;
    const position = positionAt(table, seq);
    if (position === undefined) return floor;
    const filter = this.filters.of(feed.spec, ask.selection ?? {}, 'page');
    if (filter && 'is' in filter) return filter;
    const refused = refusedForm(feed, ask.form, seq);
    if (refused) return refused;
    const { namespaced: isNamespaced } = feed.spec;
    const state = { objects: this.objects, keys: table.keys, isNamespaced, past: table.stateAt(seq) };
    const page = readPage(state, ask, filter, this.forms, typeMetaOf(feed), this.clock);
    return { is: 'page', seq, position, ...page, ...columnsOf(feed, ask.form) };
  }

  /** `change` is subscribed in the same step in which nothing was found, so that no event in between is missed. */
  private eventsNow(ask: EventsAsk, signal?: AbortSignal): EventsAnswer | Nothing {
    const feed = this.feeds.get(ask.feed);
    const table = feed?.table;
    if (!feed || !table) return gone;
    const { history } = table;
    if (ask.after < history.floor || ask.after > table.seq) return floor;
    const hasMoved = ask.after < table.seq || (ask.position !== undefined && ask.position !== table.position);
    if (!hasMoved && feed.leftAt !== undefined) return { is: 'goodbye' };
    if (!hasMoved) return { is: 'nothing', change: feed.nextChange(signal) };
    const filter = this.filters.of(feed.spec, ask.selection ?? {}, 'events');
    if (filter && 'is' in filter) return filter;
    const refused = refusedEvents(feed, ask.form);
    if (refused) return refused;
    const isShowable = showsRow(feed, ask.form, this.objects);
    const read = readEvents(table, this.objects, ask, filter, this.forms, typeMetaOf(feed), this.clock, isShowable);
    const events = eventsOrRefusal(read);
    return events.is === 'events' ? { ...events, ...columnsOf(feed, ask.form) } : events;
  }

  private drop(id: FeedId, reportsDeletions: boolean): void {
    this.filling.get(id)?.[Symbol.dispose]();
    this.filling.delete(id);
    const feed = this.feeds.get(id)!;
    if (reportsDeletions && feed.table) feed.leave();
    else this.forget(id, feed);
  }

  private forget(id: FeedId, feed: Feed): void {
    this.feeds.delete(id);
    feed.remove();
    this.listeners.removed(id);
  }

  private feedStates(): FeedState[] {
    return [...this.feeds.values()].map(({ state }) => state);
  }

  private reserve(bytes: number): void {
    const { limit } = this.options;
    if (this.used + bytes <= limit) return;
    const until = performance.now() + longestReclaim;
    const isTimeUp = (): boolean => performance.now() >= until;
    while (this.used + bytes > limit && this.work.run(isTimeUp) && !isTimeUp());
    if (this.used + bytes > limit) throw new CacheFullError(`${this.used + bytes} of ${limit} bytes`);
  }
}
