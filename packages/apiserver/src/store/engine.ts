/** The part of a store that touches the disk: synchronous, for one thread of its own. */

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
  /** Of values; the event that reaches it is the page's last. */
  bytes: number;
}

export interface Engine extends Disposable {
  readonly revision: number;
  /** Does the writes in one transaction, which is on disk when this returns. */
  commit(writes: readonly Write[]): Commit;
  get(key: string): Entry | undefined;
  range(query: RangeQuery): Range;
  /** Events after a revision, as many as the limits allow and at least one: how far they reach is the batch's revision. */
  changes(prefix: string, after: number, limits: PageLimits): EventBatch;
  /** The revision to compact at, as the history is longer than it may be; else undefined. */
  readonly excess: number | undefined;
  /** Refuses older revisions from now on. */
  compact(revision: number): void;
  /** Removes some of what compaction made unreachable, or gives some space back; false if nothing is left to do. */
  sweep(): boolean;
}
