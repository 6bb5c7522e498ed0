/** The options of a shared watch: what it selects, its sources, and its callbacks. */

import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { Selection } from '../merge/selection.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { WatchShape } from './encode.ts';
import type { Encodings } from './encodings.ts';

export interface SharedWatchOptions {
  shape: WatchShape;
  /** Everything that its bytes depend on besides events and columns, as text. */
  shapeKey: string;
  /** Shared with the watches of other users. */
  encodings: Encodings;
  kind: ObjectKind;
  selection: Selection;
  /** The current source of a member's resource. */
  sourceOf(cluster: ClusterName): Source;
  /** The current members of the view that the user is allowed to reach. */
  clusters(): Promise<readonly ClusterName[]>;
  /** Whether events of a cluster will probably come from the cache. */
  isCached(cluster: ClusterName): boolean;
  serves(cluster: ClusterName): Promise<boolean>;
  /** Identifies the API server that a cluster's name leads to now; undefined if that is not known. */
  serverOf(cluster: ClusterName): string | undefined;
  onFault(error: unknown, cluster?: ClusterName): void;
  /** Called when the clusters from whose own streams it reads have changed. */
  onClusters(clusters: readonly ClusterName[]): void;
  /** A stream of a cluster was opened, or has ended. */
  onStream(cluster: ClusterName, isOwn: boolean): void;
  /** There has been no watcher for a while. */
  onIdle(): void;
}
