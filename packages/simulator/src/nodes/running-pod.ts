/** What runs on the nodes of a simulated cluster: read by logs, commands, port forwarding and metrics. */

import type { Behaviour } from './behaviour.ts';

/** One start of a container. Times are milliseconds of the real clock. */
export interface ContainerInstance {
  /** `containerd://` and 64 hex digits. */
  readonly id: string;
  /** How many instances there were before it. */
  readonly attempt: number;
  readonly startedAt: number;
  /** Undefined while it runs. */
  readonly end?: ContainerEnd | undefined;
}

export interface ContainerEnd {
  readonly at: number;
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, `StartError` or `ContainerStatusUnknown`. */
  readonly reason: string;
}

export type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface RunningContainer {
  readonly name: string;
  readonly kind: ContainerKind;
  readonly image: string;
  readonly behaviour: Behaviour;
  readonly ready: boolean;
  /** Running, or the last one that ran. Undefined until the container was started for the first time. */
  readonly current: ContainerInstance | undefined;
  /** What `kubectl logs --previous` shows. */
  readonly previous: ContainerInstance | undefined;
  /** Why it does not run, as in `ContainerCreating` or `CrashLoopBackOff`; undefined while it runs or once it has ended for good. */
  readonly waiting: string | undefined;
}

export interface RunningPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** Undefined until its network is there. */
  readonly ip: string | undefined;
  /** Init containers first, then the others, then ephemeral ones; each in the order of the spec. */
  readonly containers: readonly RunningContainer[];
}

/** Values are snapshots: a change makes new ones. */
export interface RunningPods {
  /** Undefined if no node has the pod (any more). */
  running(uid: string): RunningPod | undefined;
  /** Called after each change of the pod, with undefined once it is gone, until disposed of. */
  observe(uid: string, changed: (pod: RunningPod | undefined) => void): Disposable;
  all(): Iterable<RunningPod>;
}
