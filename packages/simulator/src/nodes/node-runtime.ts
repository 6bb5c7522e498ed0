/** The container runtime of a node, shared by its containers. */

import type { EventText } from './kubelet-texts.ts';
import type { Missing } from './references.ts';

export interface NodeRuntime {
  /** In milliseconds of this process, see Delays. */
  millis(seconds: number, jitter?: number): number;
  /** References of the images on the node. */
  readonly images: Set<string>;
  /** Files that containers created in the node's directories. */
  readonly files: Set<string>;
  newContainerId(): string;
}

/** An Event about the pod, or about one of its containers. */
export interface PodEvent extends EventText {
  container?: string | undefined;
}

/** What one sync of a pod reads, and where its Events are recorded. */
export interface SyncContext {
  readonly now: number;
  readonly runtime: NodeRuntime;
  /** Missing ConfigMaps and Secrets. */
  readonly missing?: Missing | undefined;
  record(text: EventText, container?: string): void;
}
