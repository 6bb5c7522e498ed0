/** What a reflector fills: the objects of one resource in one cluster, and where its watch stands. */

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
  /** Lists anew beside what is served, which stays as it is until the list is committed. */
  relist(form: 'row' | 'object'): Relist;
  /** Events that came together become visible together. A batch without events just moves the position, as a bookmark does. */
  apply(changes: readonly Change[], position: string): void;
  /**
   * The columns of rows that follow. Returns whether they have changed and rows of others are stored, which have to be listed
   * anew.
   */
  columns(columns: readonly ColumnDefinition[]): boolean;
}

/** A list under way. Nothing of it is seen until it is committed; disposed of without that, it never was. */
export interface Relist extends Disposable {
  add(items: readonly Buffer[]): void;
  /**
   * Works until the time is up on what would take long at once in the commit that follows, with the same arguments. Returns
   * whether more is left; a commit may come before that.
   */
  prepare?(position: string, options: CommitOptions, isTimeUp: () => boolean): boolean;
  /**
   * Replaces what is served, at once. The difference to it becomes one batch of events, which is not resumable from within.
   */
  commit(position: string, options?: CommitOptions): void;
}

export interface CommitOptions {
  /** The member was restored from a backup, so every earlier version of it is gone (410). */
  wentBack?: boolean;
}

/** Nothing more fits into `--cache-memory` (CACHE-18). */
export class CacheFullError extends Error {
  override readonly name = 'CacheFullError';
}
