/** Events as watchers are sent them: bytes that are put together once, for whoever watches the same. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ClusterName } from '../target/target.ts';

export interface WatchEvent {
  cluster: ClusterName;
  /** The object's own version. */
  version: string;
  /** Where its cluster stands behind it. */
  position: string;
  /** A whole line. A Table's has no columns: watchers are told them with the first Table, and when they change. */
  bytes: Buffer;
  table?: TableEvent;
  /** The same with another version, in views whose versions are maps, if its own tells where its cluster stands (RV-4). */
  withVersion?: (version: string) => Pick<WatchEvent, 'bytes' | 'table'>;
}

export interface TableEvent {
  /** The same object as long as the columns are the same. */
  columns: readonly ColumnDefinition[];
  withColumns(): Buffer;
}

/** Events that came together, and so are sent together. */
export interface EventBatch {
  cluster: ClusterName;
  events: readonly WatchEvent[];
  /** All of their bytes. */
  bytes: Buffer;
}
