/** What a shared watch selects, where it asks for permissions, and to whom it sends events. */

import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { Selection } from '../merge/selection.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { WatchShape } from './encode.ts';

export interface SharedWatchOptions {
  shape: WatchShape;
  kind: ObjectKind;
  selection: Selection;
  /** The way to a member's resource as it is now. */
  sourceOf(cluster: ClusterName): Source;
  /** The members of the view that the user may reach, as they are now. */
  clusters(): Promise<readonly ClusterName[]>;
  serves(cluster: ClusterName): Promise<boolean>;
  onFault(error: unknown, cluster?: ClusterName): void;
  /** The clusters whose own streams it takes, where they are others than before. */
  onClusters(clusters: ReadonlySet<ClusterName>): void;
  /** Nobody has watched for a while. */
  onIdle(): void;
}
