/** The fields of a Pod that its logs, its shell, its ports and its metrics are made of. */

import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { fieldRef?: { fieldPath: string } };
}

export interface ContainerPort {
  name?: string;
  containerPort: number;
  protocol?: string;
}

export interface ContainerSpec {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: EnvironmentVariable[];
  ports?: ContainerPort[];
  workingDir?: string;
  stdin?: boolean;
  tty?: boolean;
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

export interface TerminatedState {
  exitCode: number;
  reason?: string;
  startedAt?: string;
  finishedAt?: string;
  containerID?: string;
}

interface State {
  waiting?: { reason?: string };
  running?: { startedAt?: string };
  terminated?: TerminatedState;
}

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  containerID?: string;
  state?: State;
  lastState?: State;
}

export interface Pod extends KubeObject {
  spec: {
    nodeName?: string;
    hostname?: string;
    subdomain?: string;
    serviceAccountName?: string;
    containers: ContainerSpec[];
    initContainers?: ContainerSpec[];
    ephemeralContainers?: ContainerSpec[];
    securityContext?: { runAsUser?: number };
  };
  status?: {
    phase?: string;
    podIP?: string;
    hostIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
    ephemeralContainerStatuses?: ContainerStatus[];
  };
}

/** The API server has checked it: what is stored as a Pod has these fields. */
export const asPod = (object: KubeObject): Pod => object as Pod;

export const containersOf = ({ spec }: Pod): ContainerSpec[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

export const hostnameOf = ({ spec, metadata }: Pod): string => spec.hostname || metadata.name!.slice(0, 63);

export const isReady = ({ status, metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');
