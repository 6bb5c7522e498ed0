/** The columns of a watch in Table form: one layout for members that may disagree, as far as they have told theirs (LIST-5). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { clusterColumn, columnMapping, mergeColumns, nameColumns } from '../present/table-columns.ts';
import type { ClusterName } from '../target/target.ts';

export class WatchedColumns {
  /** As watchers are told them; the same object until they change. */
  shown: readonly ColumnDefinition[] = [];
  named: ReadonlySet<number> = new Set();
  private readonly own = new Map<ClusterName, readonly ColumnDefinition[]>();
  private merged: readonly ColumnDefinition[] = [];
  private readonly annotated: boolean;
  private readonly isEvent: boolean;

  constructor(annotated: boolean, isEvent: boolean) {
    this.annotated = annotated;
    this.isEvent = isEvent;
  }

  learn(cluster: ClusterName, columns: readonly ColumnDefinition[]): void {
    this.own.set(cluster, columns);
    const merged = mergeColumns([this.merged, columns]);
    if (merged.length === this.merged.length) return;
    this.merged = merged;
    this.shown = this.annotated ? [...merged, clusterColumn] : merged;
    this.named = nameColumns(merged, this.isEvent);
  }

  mappingOf(cluster: ClusterName): readonly number[] | undefined {
    return columnMapping(this.own.get(cluster) ?? this.merged, this.merged);
  }
}
