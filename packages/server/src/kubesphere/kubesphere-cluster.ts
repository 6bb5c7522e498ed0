/** KubeSphere's `Cluster` (`cluster.kubesphere.io/v1alpha1`): the fields of its documentation, and those of its releases. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Condition, ConnectionType } from '../members/cluster.ts';

export const faceGroup = 'cluster.kubesphere.io';
export const faceVersion = 'v1alpha1';
export const faceApiVersion = `${faceGroup}/${faceVersion}`;

export interface KubeSphereCluster extends KubeObject {
  spec?: KubeSphereSpec;
  status?: KubeSphereStatus;
}

export interface KubeSphereSpec {
  /** Whether it joins the federation. */
  federated?: boolean;
  /** The name of `federated` in released versions. */
  joinFederation?: boolean;
  /** False takes the cluster out of use. */
  active?: boolean;
  /** The name of `active` in released versions. */
  enable?: boolean;
  provider?: string;
  connection?: KubeSphereConnection;
  /** Stored and shown, without effect. */
  externalKubeAPIEnabled?: boolean;
  /** Stored and shown, without effect. Base64. */
  config?: string;
}

export interface KubeSphereConnection {
  type?: ConnectionType;
  kubernetesAPIEndpoint?: string;
  kubesphereAPIEndpoint?: string;
  /** Base64 of a kubeconfig. Write-only. */
  kubeconfig?: string;
  /** The agent's token. Write-only. */
  token?: string;
  /** Stored and shown, without effect, like the two ports. */
  externalKubernetesAPIEndpoint?: string;
  kubernetesAPIServerPort?: number;
  kubesphereAPIServerPort?: number;
}

export interface KubeSphereCondition extends Condition {
  lastUpdateTime: string;
}

export interface KubeSphereStatus {
  conditions: KubeSphereCondition[];
  kubernetesVersion?: string;
  nodeCount?: number;
  zones?: string[];
  region?: string;
  /** The uid of the member's namespace kube-system. */
  uid?: string;
}
