/** The fields of a `Cluster` that the product uses (CLU-1). The manifest has all of them. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** The product's own conditions have one; those of others need not. */
  reason?: string;
  message: string;
  lastTransitionTime: string;
}

export interface Cluster extends KubeObject {
  spec: {
    id?: string;
    syncMode: 'Push' | 'Pull';
    apiEndpoint?: string;
    secretRef?: SecretRef;
    impersonatorSecretRef?: SecretRef;
    insecureSkipTLSVerification?: boolean;
    /** http, https or socks5. */
    proxyURL?: string;
    proxyHeader?: Record<string, string>;
    provider?: string;
    region?: string;
    zone?: string;
    zones?: string[];
    taints?: Taint[];
  };
  status?: ClusterStatus;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface ClusterStatus {
  kubernetesVersion?: string;
  apiEnablements?: ApiEnablement[];
  conditions?: Condition[];
  nodeSummary?: NodeSummary;
  resourceSummary?: ResourceSummary;
}

export interface ApiEnablement {
  /** As in `apps/v1`. */
  groupVersion: string;
  resources: { name: string; kind: string }[];
}

export interface NodeSummary {
  totalNum: number;
  readyNum: number;
}

/** Resource names to quantities. */
export type ResourceList = Record<string, string>;

export interface ResourceSummary {
  allocatable: ResourceList;
  /** Requested by pods that are on no node yet. */
  allocating: ResourceList;
  /** Requested by pods on nodes. */
  allocated: ResourceList;
}

export interface SecretRef {
  namespace: string;
  name: string;
}

export interface Secret extends KubeObject {
  data?: Record<string, string>;
}

export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';
/** The namespace in which Karmada stores the credentials of clusters, as does the product. */
export const secretsNamespace = 'karmada-cluster';

/** KubeSphere's `spec.active`, kept as an annotation: `"false"` takes the cluster out of use (KS-2). */
export const activeAnnotation = 'cluster.kubesphere.io/active';

export const isActive = ({ metadata }: KubeObject): boolean => metadata.annotations?.[activeAnnotation] !== 'false';

/** Karmada's finalizer, which federation uses, too: objects may have to be removed from the member first (FED-9). */
const cleanUpFinalizer = 'karmada.io/cluster-controller';

/** Deleted, but objects are still to be removed from the member: the product's own connection and the Secrets stay until then (CLU-6). */
export const awaitsCleanUp = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(cleanUpFinalizer) ?? false);

/** KubeSphere's `spec.connection.type`: `proxy` is reached through its agent only, never dialled directly (AGENT-11). */
export const connectionTypeAnnotation = 'cluster.kubesphere.io/connection-type';

export type ConnectionType = 'direct' | 'proxy';

export const connectionTypeOf = ({ metadata }: KubeObject): ConnectionType =>
  metadata.annotations?.[connectionTypeAnnotation] === 'proxy' ? 'proxy' : 'direct';

/** KubeSphere's `spec.connection.kubesphereAPIEndpoint`: where the member's ks-apiserver listens (KS-3). */
export const kubesphereEndpointAnnotation = 'cluster.kubesphere.io/kubesphere-api-endpoint';

/** `"true"` passes the client's own `Authorization` on to the member's ks-apiserver (KS-3). */
export const kubesphereTokenAnnotation = 'fleet.karmada.io/kubesphere-token';

export const secretRefsOf = ({ spec }: Cluster): SecretRef[] =>
  [spec.secretRef, spec.impersonatorSecretRef].filter((ref) => ref !== undefined);
