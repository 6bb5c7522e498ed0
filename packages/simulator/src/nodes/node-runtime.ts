/** What containers on one node share; stands for its container runtime. */

import type { EventText } from './kubelet-texts.ts';
import type { Missing } from './references.ts';

export interface NodeRuntime {
  /** In milliseconds of this process, as Delays has it. */
  millis(seconds: number, jitter?: number): number;
  /** References that are on the node already. */
  readonly images: Set<string>;
  /** Made by containers in the node's directories. */
  readonly files: Set<string>;
  newContainerId(): string;
}

/** An Event about the pod, or about one of its containers. */
export interface PodEvent extends EventText {
  container?: string | undefined;
}

/** What one sync of a pod reads, and where its Events go. */
export interface SyncContext {
  readonly now: number;
  readonly runtime: NodeRuntime;
  /** ConfigMaps and Secrets that are not there. */
  readonly missing?: Missing | undefined;
  record(text: EventText, container?: string): void;
}
