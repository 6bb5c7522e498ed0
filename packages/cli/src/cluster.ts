import type { KubeObject } from '@fleet/client/kube-client.ts';

interface SecretReference {
  namespace: string;
  name: string;
}

interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

/** What the command line uses of a `cluster.karmada.io/v1alpha1` Cluster. */
export interface Cluster extends KubeObject {
  spec: {
    id?: string;
    syncMode: 'Push' | 'Pull';
    apiEndpoint?: string;
    secretRef?: SecretReference;
    impersonatorSecretRef?: SecretReference;
    insecureSkipTLSVerification?: boolean;
    provider?: string;
    region?: string;
    taints?: { key: string; value?: string; effect: string }[];
  };
  status?: {
    kubernetesVersion?: string;
    conditions?: Condition[];
    nodeSummary?: { totalNum?: number; readyNum?: number };
    resourceSummary?: Partial<Record<'allocatable' | 'allocating' | 'allocated', Record<string, string | number>>>;
    apiEnablements?: { groupVersion: string }[];
  };
}

export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';

/** Karmada's namespace for the credentials of clusters (CLU-2). */
export const secretsNamespace = 'karmada-cluster';

export const conditionOf = (cluster: Cluster, type: string): Condition | undefined =>
  cluster.status?.conditions?.find((condition) => condition.type === type);
