/** What a node keeps of a pod while it has it. Small: there may be hundreds of thousands in a process. */

import type { Behaviour, ProbeName } from './behaviour.ts';
import type { ContainerInstance, ContainerKind } from './running-pod.ts';

/** Where a container is in its life. Times are milliseconds of the real clock. */
export type Step =
  /** Not begun: init containers before it, or the pod's network, come first. */
  | { is: 'idle' }
  | { is: 'pulling'; since: number; until: number }
  /** Not started; tried again at `until`, if at all. */
  | { is: 'waiting'; for: 'image' | 'config' | 'restart'; reason: string; message: string; until: number | undefined }
  | { is: 'creating'; until: number }
  /** `until`: when it ends by itself. */
  | { is: 'running'; until: number | undefined }
  | { is: 'stopping'; until: number; exitCode: number }
  /** Ended a moment ago; restarted, or held back, at `until`. */
  | { is: 'exited'; until: number }
  /** Ended for good. */
  | { is: 'ended' };

export interface ProbeState {
  name: ProbeName;
  /** Undefined: nothing would change. */
  nextAt: number | undefined;
  isHealthy: boolean;
  /** How many results in a row were the same. */
  run: number;
  /** How many failures were reported as Events. */
  reported: number;
}

export interface ContainerRecord {
  readonly name: string;
  readonly kind: ContainerKind;
  /** What the node runs; differs from the spec until it has restarted it. */
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
  /** What its annotations set at the last sync. */
  settings: string;
  /** When its network is there; the pod's containers start then. */
  networkAt: number;
  /** Seconds between the last tries to mount its volumes. */
  mountBackOff: number;
  ip: string | undefined;
  startTime: number;
  containers: ContainerRecord[];
  /** Made by its containers in its volumes; undefined until one has. */
  files: Set<string> | undefined;
  /** The kubelet ends it: for a deletion, or because its time is over. */
  stopping: { by: number; reason?: string; message?: string } | undefined;
}

export const isRunning = ({ step }: ContainerRecord): boolean => step.is === 'running' || step.is === 'stopping';

/** Neither runs nor will again. */
export const hasEnded = ({ step }: ContainerRecord): boolean => step.is === 'ended';

export const recordsByName = ({ containers }: PodRecord): ReadonlyMap<string, ContainerRecord> =>
  new Map(containers.map((one) => [one.name, one]));
