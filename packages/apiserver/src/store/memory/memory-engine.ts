/** A revisioned log in memory, for servers without a disk, such as simulated members. Values stay bytes. */

import type { Commit, Engine, PageLimits } from '../engine.ts';
import { HistorySize } from '../history-size.ts';
import {
  type Entry,
  type EventBatch,
  firstRevision,
  type Outcome,
  type Range,
  type RangeQuery,
  type Requirement,
  type StoreEvent,
  valueBytes,
  type Write,
} from '../object-store.ts';
import { compacted, future } from '../store-error.ts';
import { ownBytes } from './own-bytes.ts';
import { compareKeys, SortedEntries } from './sorted-entries.ts';

/** In bytes: enough for watches that resume. */
const usualHistory = 8 << 20;
/** The overhead of a record, without the previous value. */
const recordBytes = 100;

interface LogRecord {
  key: string;
  entry: Entry | undefined;
  previous: Entry | undefined;
}

export class MemoryEngine implements Engine {
  readonly #current = new SortedEntries();
  /** One for each revision after `#compacted`, in order. */
  readonly #log: LogRecord[] = [];
  readonly #history: HistorySize;
  #revision = firstRevision;
  #compacted = 0;

  constructor({ historyLimit = usualHistory }: { historyLimit?: number } = {}) {
    this.#history = new HistorySize(historyLimit);
    // The revision before the first write changed nothing.
    this.#log.push({ key: '', entry: undefined, previous: undefined });
  }

  get revision(): number {
    return this.#revision;
  }

  get excess(): number | undefined {
    return this.#history.excess;
  }

  commit(writes: readonly Write[]): Commit {
    const from = this.#revision;
    const events: StoreEvent[] = [];
    const outcomes = writes.map((write) => this.#write(write, events));
    return { outcomes, events, from, to: this.#revision };
  }

  get(key: string): Entry | undefined {
    return this.#current.get(key);
  }

  range({ prefix, after = '', limit, revision = this.#revision, count }: RangeQuery): Range {
    this.#refuseUnreachable(revision);
    const most = limit ?? Number.POSITIVE_INFINITY;
    const { entries, remaining } =
      revision === this.#revision
        ? this.#current.range(prefix, after, most)
        : this.#rangeAt(revision, prefix, after, most);
    return { revision, entries, more: remaining > 0, ...(count ? { remaining } : {}) };
  }

  changes(prefix: string, after: number, limits: PageLimits): EventBatch {
    if (after < this.#compacted) throw compacted(after, this.#compacted);
    const events: StoreEvent[] = [];
    let bytes = 0;
    for (let revision = after + 1; revision <= this.#revision; revision += 1) {
      const record = this.#recordOf(revision);
      if (!record.key.startsWith(prefix) || revision === firstRevision) continue;
      const event = eventOf(record, revision);
      events.push(event);
      bytes += valueBytes(event);
      if (events.length === limits.events || bytes >= limits.bytes) return { events, revision };
    }
    return { events, revision: this.#revision };
  }

  compact(revision: number): void {
    this.#refuseUnreachable(revision);
    this.#log.splice(0, revision - this.#compacted);
    this.#compacted = revision;
    this.#history.compacted(revision);
  }

  /** A compaction leaves nothing to sweep. */
  sweep(): boolean {
    return false;
  }

  [Symbol.dispose](): void {}

  #write(write: Write, events: StoreEvent[]): Outcome {
    const { key } = write;
    const previous = this.#current.get(key);
    if (previous?.revision !== (write.op === 'create' ? undefined : write.ifRevision)) {
      return { done: false, current: previous };
    }
    if (write.op !== 'delete' && !(write.requires ?? []).every((one) => this.#isMet(one))) {
      return { done: false, current: undefined, unmet: true };
    }
    this.#revision += 1;
    const entry = write.op === 'delete' ? undefined : { key, value: ownBytes(write.value), revision: this.#revision };
    if (entry) this.#current.put(entry);
    else this.#current.remove(key);
    const record = { key, entry, previous };
    this.#log.push(record);
    this.#history.add(this.#revision, recordBytes + (previous?.value.length ?? 0));
    events.push(eventOf(record, this.#revision));
    return { done: true, revision: this.#revision };
  }

  #isMet(required: Requirement): boolean {
    const { revision } = required;
    if ('key' in required) return this.#current.get(required.key)?.revision === revision;
    if (revision < this.#compacted) return false;
    for (let later = revision + 1; later <= this.#revision; later += 1) {
      if (this.#recordOf(later).key.startsWith(required.prefix)) return false;
    }
    return true;
  }

  #recordOf(revision: number): LogRecord {
    return this.#log[revision - this.#compacted - 1]!;
  }

  /** The current entries, with later changes undone. */
  #rangeAt(revision: number, prefix: string, after: string, limit: number): { entries: Entry[]; remaining: number } {
    const isAsked = (key: string) => key.startsWith(prefix) && (after === '' || compareKeys(key, after) > 0);
    const changed = new Map<string, Entry | undefined>();
    for (let later = revision + 1; later <= this.#revision; later += 1) {
      const { key, previous } = this.#recordOf(later);
      if (isAsked(key) && !changed.has(key)) changed.set(key, previous);
    }
    const now = this.#current.range(prefix, after, limit + changed.size);
    const there = [...changed.values()].filter((entry) => entry !== undefined);
    const isThereNow = (key: string) => this.#current.get(key) !== undefined;
    const total = now.entries.length + now.remaining - [...changed.keys()].filter(isThereNow).length + there.length;
    const entries = [...now.entries.filter(({ key }) => !changed.has(key)), ...there]
      .sort((left, right) => compareKeys(left.key, right.key))
      .slice(0, limit);
    return { entries, remaining: total - entries.length };
  }

  #refuseUnreachable(revision: number): void {
    if (revision < this.#compacted) throw compacted(revision, this.#compacted);
    if (revision > this.#revision) throw future(revision, this.#revision);
  }
}

const eventOf = ({ key, entry, previous }: LogRecord, revision: number): StoreEvent => ({
  key,
  revision,
  ...(entry ? { value: entry.value } : {}),
  ...(previous ? { previous: previous.value } : {}),
});
