/** The interface that a reflector writes to: the objects of one resource in one cluster, and the position of its watch. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One event of the member's watch. */
export interface Change {
  type: ChangeType;
  /** A Table's row with its whole object (`includeObject=Object`), or the object itself where the member has no Tables. */
  item: Buffer;
}

export interface FeedWriter {
  /** The resource version that the watch resumes from; undefined until the first list is committed. */
  readonly position: string | undefined;
  /** Begins a new list. What is served stays as it is until the list is committed. */
  relist(form: 'row' | 'object'): Relist;
  /** Makes a batch of events visible at once. A batch without events only moves the position, as a bookmark does. */
  apply(changes: readonly Change[], position: string): void;
  /** Sets the columns of the rows that follow. Returns whether a relist is needed, as rows of other columns are stored. */
  columns(columns: readonly ColumnDefinition[]): boolean;
  /** Whether a row that was just read has other cells than the stored one, though its object has not changed: a relist is needed. */
  hasOtherCells?(row: Buffer): boolean;
}

/** A list under way. Nothing of it is visible until it is committed; disposing of it before that discards it. */
export interface Relist extends Disposable {
  add(items: readonly Buffer[]): void;
  /**
   * Does the expensive part of `commit` ahead, until the time is up, given the same arguments. Returns whether more is left. Optional:
   * `commit` does what is left in one step.
   */
  prepare?(position: string, options: CommitOptions, isTimeUp: () => boolean): boolean;
  /**
   * Replaces what is served in one step. The difference becomes one batch of events: a watch cannot resume from within it.
   */
  commit(position: string, options?: CommitOptions): void;
}

export interface CommitOptions {
  /** The member was restored from a backup: its earlier resource versions mean nothing any more (410). */
  wentBack?: boolean;
}

/** Nothing more fits into `--cache-memory` (CACHE-18). */
export class CacheFullError extends Error {
  override readonly name = 'CacheFullError';
}
