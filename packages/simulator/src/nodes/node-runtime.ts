/** What containers on one node share; stands for its container runtime. */

import type { EventText } from './kubelet-texts.ts';
import type { Missing } from './references.ts';

export interface NodeRuntime {
  /** In milliseconds of this process, as Delays has it. */
  millis(seconds: number, jitter?: number): number;
  /** References that are on the node already. */
  readonly images: Set<string>;
  newContainerId(): string;
}

/** Of the pod, or of one of its containers. */
export interface PodEvent extends EventText {
  container?: string | undefined;
}

/** Collected while a pod is brought forward; written afterwards. */
export interface Moment {
  readonly now: number;
  readonly runtime: NodeRuntime;
  /** ConfigMaps and Secrets that are not there. */
  readonly missing?: Missing | undefined;
  record(text: EventText, container?: string): void;
}
