/** The columns of a watch in Table form: one layout for members whose columns may differ, as far as they are known (LIST-5). */

import { type ColumnDefinition, longestColumns, mostColumns } from '@fleet/kube/list-splitter.ts';
import { clusterColumn, columnMapping, mergeColumns, nameColumns } from '../present/table-columns.ts';
import type { ClusterName } from '../target/target.ts';

interface Own {
  columns: readonly ColumnDefinition[];
  /** How often its columns have changed, their number, and their length. */
  changes: number;
  added: number;
  addedLength: number;
  /** Computed when a row needs it. */
  mapping?: { is: readonly number[] | undefined } | undefined;
}

const unknown = { changes: 0, added: 0, addedLength: 0 };

/** Far more than a definition usually changes during a watch: each change computes all columns again, for every watcher. */
const mostChanges = 100;

export class WatchedColumns {
  /** As watchers were sent them. The same object until they change. */
  shown: readonly ColumnDefinition[] = [];
  named: ReadonlySet<number> = new Set();
  private readonly own = new Map<ClusterName, Own>();
  private merged: readonly ColumnDefinition[] = [];
  private readonly names = new Set<string>();
  private readonly annotated: boolean;
  private readonly isEvent: boolean;

  private readonly layout: (columns: readonly ColumnDefinition[]) => readonly ColumnDefinition[];

  /** `layout`: one object per set of columns, shared by all watches. */
  constructor(
    annotated: boolean,
    isEvent: boolean,
    layout: (columns: readonly ColumnDefinition[]) => readonly ColumnDefinition[] = (columns) => columns,
  ) {
    this.annotated = annotated;
    this.isEvent = isEvent;
    this.layout = layout;
  }

  learn(cluster: ClusterName, columns: readonly ColumnDefinition[]): void {
    const own: Own = { ...unknown, ...this.own.get(cluster), columns, mapping: undefined };
    this.own.set(cluster, own);
    const others = columns.filter(({ name }) => !this.names.has(name));
    if (others.length === 0) return;
    // If a member changes its columns again and again, its last accepted ones stay.
    if (own.changes++ >= mostChanges) return;
    own.added += others.length;
    own.addedLength += JSON.stringify(others).length;
    if (own.added > mostColumns || own.addedLength > longestColumns) return;
    for (const { name } of others) this.names.add(name);
    this.merged = mergeColumns([this.merged, columns]);
    this.shown = this.layout(this.annotated ? [...this.merged, clusterColumn] : this.merged);
    this.named = nameColumns(this.merged, this.isEvent);
    for (const known of this.own.values()) known.mapping = undefined;
  }

  mappingOf(cluster: ClusterName): readonly number[] | undefined {
    const own = this.own.get(cluster);
    if (!own) return undefined;
    own.mapping ??= { is: columnMapping(own.columns, this.merged) };
    return own.mapping.is;
  }
}
