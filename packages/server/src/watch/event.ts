/** Events as they are sent to watchers: bytes that are encoded once for all watches of the same resource. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { ClusterName } from '../target/target.ts';

export interface WatchEvent {
  cluster: ClusterName;
  /** The object's own version. */
  version: string;
  /** The cluster's position after it. */
  position: string;
  /** A whole line. A Table has no columns in it: watchers get them with their first Table, and when they change. */
  bytes: Buffer;
  table?: TableEvent;
  /** The same event with another version, for views whose versions are maps, if its own version is a position (RV-4). */
  withVersion?: (version: string) => Pick<WatchEvent, 'bytes' | 'table'>;
}

export interface TableEvent {
  /** The same object until the columns change. */
  columns: readonly ColumnDefinition[];
  withColumns(): Buffer;
}

/** Events that arrived together, and are sent together. */
export interface EventBatch {
  cluster: ClusterName;
  events: readonly WatchEvent[];
  /** The bytes of all events. */
  bytes: Buffer;
}
