/** The fields of a Pod that a simulated cluster reads and writes. */

import type { KubeObject as RegistryObject } from '@fleet/apiserver/registry/kube-object.ts';
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
  hostPath?: { path: string };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
  /** Has a claim of its own. */
  ephemeral?: object;
}

export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  stdin?: boolean;
  tty?: boolean;
  imagePullPolicy?: string;
  /** Only of init containers: `Always` makes it a sidecar. */
  restartPolicy?: string;
  env?: {
    name: string;
    value?: string;
    valueFrom?: { configMapKeyRef?: KeyReference; secretKeyRef?: KeyReference; fieldRef?: { fieldPath: string } };
  }[];
  envFrom?: { configMapRef?: KeyReference; secretRef?: KeyReference }[];
  ports?: { name?: string; containerPort: number; hostPort?: number; hostIP?: string; protocol?: string }[];
  resources?: Resources;
  volumeMounts?: VolumeMount[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  /** Copied by controllers. */
  [field: string]: unknown;
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

export interface Affinity {
  nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
  nodeName?: string;
  hostname?: string;
  subdomain?: string;
  serviceAccountName?: string;
  securityContext?: { runAsUser?: number };
  nodeSelector?: Record<string, string>;
  affinity?: Affinity;
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
  /** Copied by controllers. */
  [field: string]: unknown;
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

export interface ContainerStateTerminated {
  exitCode: number;
  reason?: string;
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string | null };
  terminated?: ContainerStateTerminated;
}

export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
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

export const podPath = ({ metadata: { namespace, name } }: KubeObject): string =>
  `/api/v1/namespaces/${namespace}/pods/${name}`;

/** Items of a list have no `apiVersion` and `kind`; objects in a registry have both. */
export type StoredPod = Pod & RegistryObject;

/** The API server has validated it: an object stored as a Pod has these fields. */
export const asPod = (object: RegistryObject): StoredPod => object as StoredPod;

export const containersOf = ({ spec }: Pod): Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

/** At least one. */
export const containerCount = ({ spec: { initContainers, containers, ephemeralContainers } }: Pod): number =>
  Math.max(1, (initContainers?.length ?? 0) + containers.length + (ephemeralContainers?.length ?? 0));

export const hostnameOf = ({ spec, metadata }: Pod): string => spec.hostname || metadata.name!.slice(0, 63);
