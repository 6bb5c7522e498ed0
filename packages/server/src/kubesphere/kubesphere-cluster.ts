/** KubeSphere's `Cluster` (`cluster.kubesphere.io/v1alpha1`): the document's fields, and beside them those of its releases. */

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
  /** As released versions name `federated`. */
  joinFederation?: boolean;
  /** False takes it out of use. */
  active?: boolean;
  /** As released versions name `active`. */
  enable?: boolean;
  provider?: string;
  connection?: KubeSphereConnection;
  /** Kept and shown, without effect. */
  externalKubeAPIEnabled?: boolean;
  /** Kept and shown, without effect. Base64. */
  config?: string;
}

export interface KubeSphereConnection {
  type?: ConnectionType;
  kubernetesAPIEndpoint?: string;
  kubesphereAPIEndpoint?: string;
  /** Base64 of a kubeconfig. Write-only. */
  kubeconfig?: string;
  /** Of the agent. Write-only. */
  token?: string;
  /** Kept and shown, without effect, as are the two ports. */
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
  /** Of the member's namespace kube-system. */
  uid?: string;
}
