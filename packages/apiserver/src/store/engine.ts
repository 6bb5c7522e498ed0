/** The interface of the part of a store that accesses the disk: synchronous, for a thread of its own. */

import type { Entry, EventBatch, Outcome, Range, RangeQuery, StoreEvent, Write } from './object-store.ts';

export interface Commit {
  /** In the order of the writes. */
  outcomes: Outcome[];
  events: StoreEvent[];
  /** The revisions before and after. */
  from: number;
  to: number;
}

export interface PageLimits {
  events: number;
  /** In bytes of values; the event that exceeds it is the last of the page. */
  bytes: number;
}

export interface Engine extends Disposable {
  readonly revision: number;
  /** Executes the writes in one transaction, which is on disk when this returns. */
  commit(writes: readonly Write[]): Commit;
  get(key: string): Entry | undefined;
  range(query: RangeQuery): Range;
  /** Events after a revision, within the limits but at least one: the batch's revision is the last one covered. */
  changes(prefix: string, after: number, limits: PageLimits): EventBatch;
  /** The revision to compact at, if the history exceeds its limit; else undefined. */
  readonly excess: number | undefined;
  /** Refuses older revisions from now on. */
  compact(revision: number): void;
  /** Removes some unreachable rows after a compaction, or returns some space to the disk; false if nothing is left to do. */
  sweep(): boolean;
}
