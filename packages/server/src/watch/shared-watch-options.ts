/** What a shared watch selects, where it asks for permissions, and to whom it sends events. */

import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { Selection } from '../merge/selection.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { WatchShape } from './encode.ts';
import type { Encodings } from './encodings.ts';

export interface SharedWatchOptions {
  shape: WatchShape;
  /** All that its bytes depend on beside events and columns, as text. */
  shapeKey: string;
  /** Shared with the watches of other users. */
  encodings: Encodings;
  kind: ObjectKind;
  selection: Selection;
  /** The way to a member's resource as it is now. */
  sourceOf(cluster: ClusterName): Source;
  /** The members of the view that the user may reach, as they are now. */
  clusters(): Promise<readonly ClusterName[]>;
  /** Whether events of a cluster are likely to come from the cache. */
  isCached(cluster: ClusterName): boolean;
  serves(cluster: ClusterName): Promise<boolean>;
  /** Identifies the API server that a cluster's name leads to now; undefined if that is not known. */
  serverOf(cluster: ClusterName): string | undefined;
  onFault(error: unknown, cluster?: ClusterName): void;
  /** The clusters whose own streams it takes, where they are others than before. */
  onClusters(clusters: readonly ClusterName[]): void;
  /** A cluster's events come over a stream of its own, or no longer do. */
  onStream(cluster: ClusterName, isOwn: boolean): void;
  /** Nobody has watched for a while. */
  onIdle(): void;
}
