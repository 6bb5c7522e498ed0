/** The state that a node keeps of a pod. It is small, as there may be hundreds of thousands in a process. */

import type { Behaviour, ProbeName } from './behaviour.ts';
import type { ContainerInstance, ContainerKind } from './running-pod.ts';

/** The phase of a container's lifecycle. Times are milliseconds of the real clock. */
export type Step =
  /** Not started: init containers before it, or the pod's network, come first. */
  | { is: 'idle' }
  | { is: 'pulling'; since: number; until: number }
  /** Not started; retried at `until`, if at all. */
  | { is: 'waiting'; for: 'image' | 'config' | 'restart'; reason: string; message: string; until: number | undefined }
  | { is: 'creating'; until: number }
  /** `until`: when it ends by itself. */
  | { is: 'running'; until: number | undefined }
  | { is: 'stopping'; until: number; exitCode: number }
  /** Ended a moment ago; restarted, or held back, at `until`. */
  | { is: 'exited'; until: number }
  /** Ended permanently. */
  | { is: 'ended' };

export interface ProbeState {
  name: ProbeName;
  /** Undefined if nothing would change. */
  nextAt: number | undefined;
  isHealthy: boolean;
  /** How many consecutive results were the same. */
  run: number;
  /** How many failures were reported as Events. */
  reported: number;
}

export interface ContainerRecord {
  readonly name: string;
  readonly kind: ContainerKind;
  /** The image that runs; differs from the spec until the container was restarted. */
  image: string;
  behaviour: Behaviour;
  step: Step;
  current: ContainerInstance | undefined;
  previous: ContainerInstance | undefined;
  /** Whether the startup probe has succeeded. */
  started: boolean;
  ready: boolean;
  probes: ProbeState[] | undefined;
  /** Seconds that the next restart is held back. */
  backOff: number;
  pullBackOff: number;
}

export interface PodRecord {
  readonly uid: string;
  readonly node: string;
  /** The annotations' settings at the last sync. */
  settings: string;
  /** When its network is ready; the pod's containers start then. */
  networkAt: number;
  /** Seconds between the last attempts to mount its volumes. */
  mountBackOff: number;
  ip: string | undefined;
  startTime: number;
  containers: ContainerRecord[];
  /** Files that its containers created in its volumes; undefined until one has. */
  files: Set<string> | undefined;
  /** The kubelet ends it: because of a deletion, or its deadline. */
  stopping: { by: number; reason?: string; message?: string } | undefined;
}

export const isRunning = ({ step }: ContainerRecord): boolean => step.is === 'running' || step.is === 'stopping';

/** It neither runs nor will run again. */
export const hasEnded = ({ step }: ContainerRecord): boolean => step.is === 'ended';

export const recordsByName = ({ containers }: PodRecord): ReadonlyMap<string, ContainerRecord> =>
  new Map(containers.map((one) => [one.name, one]));
