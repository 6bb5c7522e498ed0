/** The fields of workload objects that controllers read and write. What they only carry along stays unknown. */

import type { SelectorObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject, ObjectMeta } from '@fleet/client/kube-client.ts';

export type IntOrPercent = number | string;

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string;
  observedGeneration?: number;
}

export interface Container {
  name: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  restartPolicy?: string;
  [field: string]: unknown;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface NodeSelectorTerm {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
}

export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeSelectorTerm[] };
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; persistentVolumeClaim?: { claimName: string; readOnly?: boolean } }[];
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  affinity?: Affinity;
  tolerations?: Toleration[];
  hostname?: string;
  subdomain?: string;
  hostNetwork?: boolean;
  restartPolicy?: string;
  [field: string]: unknown;
}

export interface ContainerStatus {
  name: string;
  restartCount?: number;
  state?: { terminated?: { exitCode: number; finishedAt?: string | null } };
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

export interface PodTemplate {
  metadata?: Partial<ObjectMeta>;
  spec: PodSpec;
}

/** What every workload kind has. */
export interface Workload extends KubeObject {
  spec: { selector?: SelectorObject; template: PodTemplate; minReadySeconds?: number };
  status?: object;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  status?: { conditions?: Condition[] };
}
