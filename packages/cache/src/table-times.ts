/** Keeps the ages in one feed's Tables up to date, and checks with each row of the member that they are computed as it does (CACHE-13). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { Ingested } from './ingest.ts';
import type { FeedSpec } from './messages.ts';
import { RowTimes } from './row-times.ts';
import type { StoredObjects } from './stored-objects.ts';
import { timeColumns } from './time-columns.ts';

/** For one answer: all its rows are written as of the same time. */
export interface TimesNow {
  rows: RowTimes;
  now: number;
}

export class TableTimes {
  /** A column that the cache cannot keep up to date, so Tables come from the member; undefined if there is none. */
  refused: string | undefined;
  private readonly spec: FeedSpec;
  private readonly clock: () => number;
  private rows = new RowTimes([]);
  /** Like `refused`, for the list under way. Replaces `refused` when the list is committed. */
  private listed: string | undefined;

  constructor(spec: FeedSpec, clock: () => number) {
    this.spec = spec;
    this.clock = clock;
  }

  now(): TimesNow {
    return { rows: this.rows, now: this.clock() };
  }

  /** Called with new columns, before their rows. */
  begin(columns: readonly ColumnDefinition[]): void {
    this.rows = new RowTimes(timeColumns(this.spec, columns));
    this.refused = undefined;
    this.listed = undefined;
  }

  beginList(): void {
    this.listed = undefined;
  }

  commitList(): void {
    this.refused = this.listed;
  }

  hasSameCells(objects: StoredObjects, id: number, read: Ingested): boolean {
    return this.rows.hasSameCells(objects, id, read);
  }

  /** Called with each row as it arrives, while its ages are current. */
  check(read: Ingested): void {
    const mismatch = this.rows.mismatch(read, this.clock());
    this.refused ??= mismatch;
    this.listed ??= mismatch;
  }
}
