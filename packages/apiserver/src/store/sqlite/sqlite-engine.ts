/** A revisioned log in SQLite. One transaction has many writes, each with a revision of its own. */

import type { DatabaseSync } from 'node:sqlite';
import type { Commit, Engine, PageLimits } from '../engine.ts';
import { HistorySize } from '../history-size.ts';
import {
  type Entry,
  type EventBatch,
  type Outcome,
  type Range,
  type RangeQuery,
  type Requirement,
  type StoreEvent,
  valueBytes,
  type Write,
} from '../object-store.ts';
import { prefixEnd } from '../prefix-end.ts';
import { compacted, future, StoreError } from '../store-error.ts';
import { sparePages, takeOff, truncateLog, usedBytes } from './free-space.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { storeErrorOf } from './sqlite-fault.ts';
import { prepareStatements, type Statements } from './statements.ts';

/** Rows examined in one step of sweeping: a few milliseconds, with writes in between. */
const sweepStep = 500;

/** In bytes. */
const usualHistory = 512 << 20;
/** The overhead of a row, without its key, which is also in the index, and its value. */
const rowBytes = 40;
/** The number of steps in which the existing history is counted. */
const historySteps = 32;

export interface EngineOptions extends DatabaseOptions {
  /** The limit for the bytes of values that are kept for history only; infinite if only time limits them. */
  historyLimit?: number;
}

interface LogRow {
  key: string;
  revision: number;
  value: Uint8Array | null;
  previous: Uint8Array | null;
}

export class SqliteEngine implements Engine {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  #revision: number;
  #compacted: number;
  #swept: number;
  readonly #history: HistorySize;
  /** Set when the disk failed: its content is unknown then, and further writes would only hide that. */
  #broken: StoreError | undefined;

  constructor({ historyLimit = usualHistory, ...options }: EngineOptions) {
    this.#db = openDatabase(options);
    this.#sql = prepareStatements(this.#db);
    this.#revision = this.#state('revision');
    this.#compacted = this.#state('compacted');
    this.#swept = this.#state('swept');
    this.#history = new HistorySize(historyLimit);
    this.#estimateHistory();
  }

  /** Estimates the history of earlier processes by its share of rows. Summing up the rows would read the whole file. */
  #estimateHistory(): void {
    const rows = this.#revision - this.#compacted;
    const current = this.#sql.countAll.get()!['count'] as number;
    const bytes = (usedBytes(this.#db) * rows) / Math.max(1, rows + current);
    const steps = Math.min(rows, historySteps);
    for (let step = 1; step <= steps; step += 1) {
      this.#history.add(this.#compacted + Math.ceil((rows * step) / steps), bytes / steps);
    }
  }

  get revision(): number {
    return this.#revision;
  }

  get excess(): number | undefined {
    return this.#history.excess;
  }

  commit(writes: readonly Write[]): Commit {
    const from = this.#revision;
    let to = from;
    const events: StoreEvent[] = [];
    const outcomes = this.#transaction(() => {
      const made = writes.map((write): Outcome => {
        const standing = this.#revisionOf(write.key);
        if (standing !== (write.op === 'create' ? undefined : write.ifRevision)) {
          return { done: false, current: this.#entry(write.key, standing) };
        }
        if (write.op !== 'delete' && !(write.requires ?? []).every((one) => this.#isMet(one)))
          return { done: false, current: undefined, unmet: true };
        to += 1;
        events.push(this.#append(write, standing, to));
        return { done: true, revision: to };
      });
      if (to > from) this.#sql.setState.run(to, 'revision');
      return made;
    });
    this.#revision = to;
    for (const event of events) if (event.previous) this.#history.add(event.revision, sizeOf(event));
    return { outcomes, events, from, to };
  }

  #isMet(required: Requirement): boolean {
    const { revision } = required;
    if ('key' in required) return this.#revisionOf(required.key) === revision;
    if (revision < this.#compacted) return false;
    const keys = { from: required.prefix, end: prefixEnd(required.prefix) };
    return this.#sql.changedAfter.get({ ...keys, revision }) === undefined;
  }

  get(key: string): Entry | undefined {
    return this.#entry(key, this.#revisionOf(key));
  }

  range({ prefix, after = '', limit, revision = this.#revision, count }: RangeQuery): Range {
    this.#refuseUnreachable(revision);
    const keys = { from: prefix, end: prefixEnd(prefix), after };
    const [rangeOf, countOf, at] =
      revision === this.#revision
        ? [this.#sql.rangeNow, this.#sql.countNow, {}]
        : [this.#sql.rangeAt, this.#sql.countAt, { revision }];
    // One more than requested shows whether there are more.
    const rows = rangeOf.all({ ...keys, ...at, limit: limit === undefined ? -1 : limit + 1 });
    const more = limit !== undefined && rows.length > limit;
    const entries = (more ? rows.slice(0, limit) : rows) as unknown as Entry[];
    if (!count) return { revision, entries, more };
    const behind = { ...keys, after: entries.at(-1)?.key ?? after };
    return { revision, entries, more, remaining: more ? (countOf.get({ ...behind, ...at })!['count'] as number) : 0 };
  }

  changes(prefix: string, after: number, limits: PageLimits): EventBatch {
    if (after < this.#compacted) throw compacted(after, this.#compacted);
    const events: StoreEvent[] = [];
    let bytes = 0;
    const from = { from: prefix, end: prefixEnd(prefix), revision: after };
    const rows = this.#sql.changes.iterate({ ...from, limit: limits.events });
    for (const { key, revision, value, previous } of rows as unknown as Iterable<LogRow>) {
      const event = { key, revision, ...(value ? { value } : {}), ...(previous ? { previous } : {}) };
      events.push(event);
      bytes += valueBytes(event);
      if (events.length === limits.events || bytes >= limits.bytes) return { events, revision };
    }
    return { events, revision: this.#revision };
  }

  compact(revision: number): void {
    this.#refuseUnreachable(revision);
    this.#transaction(() => this.#sql.setState.run(revision, 'compacted'));
    this.#compacted = revision;
    this.#history.compacted(revision);
  }

  sweep(): boolean {
    if (this.#swept < this.#compacted) {
      this.#forgetSome();
      return true;
    }
    const spare = sparePages(this.#db);
    if (spare > 0) this.#transaction(() => takeOff(this.#db, spare));
    else this.#withFaults(() => truncateLog(this.#db));
    return spare > 0;
  }

  #forgetSome(): void {
    const rows = this.#sql.toSweep.all(this.#swept, this.#compacted, sweepStep);
    const swept = rows.length < sweepStep ? this.#compacted : (rows.at(-1)!['revision'] as number);
    this.#transaction(() => {
      for (const { revision, deleted, previous } of rows) {
        // A replaced value, and a deletion, cannot be read any more.
        if (previous !== null) this.#sql.forget.run(previous!);
        if (deleted) this.#sql.forget.run(revision!);
      }
      this.#sql.setState.run(swept, 'swept');
    });
    this.#swept = swept;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #append(write: Write, standing: number | undefined, revision: number): StoreEvent {
    const previous = standing === undefined ? undefined : this.#value(standing);
    const value = write.op === 'delete' ? undefined : write.value;
    this.#sql.append.run(revision, write.key, value ? 0 : 1, value ?? null, standing ?? null);
    if (value) this.#sql.keep.run(write.key, revision);
    else this.#sql.drop.run(write.key);
    return { key: write.key, revision, ...(value ? { value } : {}), ...(previous ? { previous } : {}) };
  }

  /** All or nothing, and on disk at the end. */
  #transaction<Made>(work: () => Made): Made {
    return this.#withFaults(() => {
      this.#sql.begin.run();
      const made = work();
      this.#sql.commit.run();
      return made;
    });
  }

  #withFaults<Made>(work: () => Made): Made {
    if (this.#broken) throw this.#broken;
    try {
      return work();
    } catch (thrown) {
      const error = storeErrorOf(thrown);
      if (error instanceof StoreError && error.fault === 'broken') this.#broken = error;
      // Some errors end the transaction by themselves.
      if (this.#db.isTransaction) this.#sql.rollback.run();
      throw error;
    }
  }

  #refuseUnreachable(revision: number): void {
    if (revision < this.#compacted) throw compacted(revision, this.#compacted);
    if (revision > this.#revision) throw future(revision, this.#revision);
  }

  #revisionOf(key: string): number | undefined {
    return this.#sql.revisionOf.get(key)?.['revision'] as number | undefined;
  }

  #value(revision: number): Uint8Array {
    return this.#sql.valueAt.get(revision)!['value'] as Uint8Array;
  }

  #entry(key: string, revision: number | undefined): Entry | undefined {
    return revision === undefined ? undefined : { key, revision, value: this.#value(revision) };
  }

  #state(name: string): number {
    return this.#sql.state.get(name)!['value'] as number;
  }
}

/** What a write adds to the history: the previous value, and a deletion. */
const sizeOf = ({ key, value, previous }: StoreEvent): number =>
  (previous?.length ?? 0) + (value ? 1 : 2) * (2 * key.length + rowBytes);
