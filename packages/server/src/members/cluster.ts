/** The `Cluster` object as far as reaching a member needs it (CLU-1); the manifest has all of it. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
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
    region?: string;
  };
  status?: {
    kubernetesVersion?: string;
    conditions?: Condition[];
  };
}

export interface SecretRef {
  namespace: string;
  name: string;
}

export interface Secret extends KubeObject {
  data?: Record<string, string>;
}

export const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';
/** Where Karmada keeps the credentials of clusters, and so do we. */
export const secretsNamespace = 'karmada-cluster';
