/** The times in one feed's Tables: what its columns are of, and whether its rows agree with that (CACHE-13). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { Ingested } from './ingest.ts';
import type { FeedSpec } from './messages.ts';
import { RowTimes } from './row-times.ts';
import { timeColumns } from './time-columns.ts';

/** Of one answer. */
export interface TimesNow {
  rows: RowTimes;
  now: number;
}

export class TableTimes {
  /** The column for whose sake the member has to be asked for Tables. */
  refused: string | undefined;
  private readonly spec: FeedSpec;
  private readonly clock: () => number;
  private rows = new RowTimes([]);
  /** Of the list that is under way: what it finds counts beyond what was found before. */
  private listed: string | undefined;

  constructor(spec: FeedSpec, clock: () => number) {
    this.spec = spec;
    this.clock = clock;
  }

  now(): TimesNow {
    return { rows: this.rows, now: this.clock() };
  }

  /** Called with new columns, in front of their rows. */
  begin(columns: readonly ColumnDefinition[]): void {
    this.rows = new RowTimes(timeColumns(this.spec, columns));
    this.refused = undefined;
    this.listed = undefined;
  }

  beginList(): void {
    this.listed = undefined;
  }

  /** What was listed replaces what was. */
  commitList(): void {
    this.refused = this.listed;
  }

  /** Called with each row as it comes, while what it shows is of now. */
  check(read: Ingested): void {
    const unlike = this.rows.unlike(read, this.clock());
    this.refused ??= unlike;
    this.listed ??= unlike;
  }
}
