/** The pods that run on the nodes of a simulated cluster, for logs, commands, port forwarding and metrics. */

import type { Behaviour } from './behaviour.ts';

/** One start of a container. Times are milliseconds of the real clock. */
export interface ContainerInstance {
  /** `containerd://` and 64 hex digits. */
  readonly id: string;
  /** How many instances came before it. */
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
  /** The running instance, or the last one. Undefined until the first start. */
  readonly current: ContainerInstance | undefined;
  /** The instance that `kubectl logs --previous` shows. */
  readonly previous: ContainerInstance | undefined;
  /** The waiting reason, such as `ContainerCreating` or `CrashLoopBackOff`; undefined while it runs or after its permanent end. */
  readonly waiting: string | undefined;
}

export interface RunningPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** Undefined until it has a network. */
  readonly ip: string | undefined;
  /** Init containers first, then the others, then ephemeral ones; each in the order of the spec. */
  readonly containers: readonly RunningContainer[];
}

/** Values are immutable snapshots. */
export interface RunningPods {
  /** Undefined if no node has the pod, or has it any more. */
  running(uid: string): RunningPod | undefined;
  /** Calls back after each change of the pod, with undefined once it is gone, until disposed. */
  observe(uid: string, changed: (pod: RunningPod | undefined) => void): Disposable;
  all(): Iterable<RunningPod>;
}
