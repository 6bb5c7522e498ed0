/** Pods as far as the scheduler and the nodes read and write them. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export type ResourceList = Record<string, string>;

export interface Resources {
  requests?: ResourceList;
  limits?: ResourceList;
}

export interface Probe {
  httpGet?: { path?: string; port: number | string; host?: string; scheme?: string };
  tcpSocket?: { port: number | string; host?: string };
  exec?: { command?: string[] };
  grpc?: { port: number; service?: string };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
}

interface KeyReference {
  name?: string;
  key?: string;
  optional?: boolean;
}

export interface Volume {
  name: string;
  configMap?: { name?: string; items?: { key: string }[]; optional?: boolean };
  secret?: { secretName?: string; items?: { key: string }[]; optional?: boolean };
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  stdin?: boolean;
  imagePullPolicy?: string;
  /** Of init containers: `Always` makes it a sidecar. */
  restartPolicy?: string;
  env?: { name: string; valueFrom?: { configMapKeyRef?: KeyReference; secretKeyRef?: KeyReference } }[];
  envFrom?: { configMapRef?: KeyReference; secretRef?: KeyReference }[];
  ports?: { name?: string; containerPort: number; hostPort?: number; hostIP?: string; protocol?: string }[];
  resources?: Resources;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

interface FieldRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface NodeSelectorTerm {
  matchFields?: FieldRequirement[];
  matchExpressions?: FieldRequirement[];
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
  };
  tolerations?: Toleration[];
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  hostNetwork?: boolean;
  schedulerName?: string;
  schedulingGates?: { name: string }[];
  priority?: number;
  preemptionPolicy?: string;
  overhead?: ResourceList;
  resources?: Resources;
  readinessGates?: { conditionType: string }[];
}

export interface PodCondition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export interface Terminated {
  exitCode: number;
  reason?: string;
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
}

export interface ContainerStateField {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string | null };
  terminated?: Terminated;
}

export interface ContainerStatus {
  name: string;
  state?: ContainerStateField;
  lastState?: ContainerStateField;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: ResourceList;
  resources?: Resources;
  volumeMounts?: object[];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
  conditions?: PodCondition[];
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  qosClass?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
}

export interface Pod extends KubeObject {
  metadata: KubeObject['metadata'] & { deletionGracePeriodSeconds?: number };
  spec: PodSpec;
  status?: PodStatus;
}

export const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const podPath = ({ metadata: { namespace, name } }: KubeObject): string =>
  `/api/v1/namespaces/${namespace}/pods/${name}`;
