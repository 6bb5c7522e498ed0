/** The `Agent` object of a registered cluster (KS-5): references to its credentials, and whether its agents are connected. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { type Cluster, type Condition, connectionTypeOf, type SecretRef, secretsNamespace } from './cluster.ts';

export interface Agent extends KubeObject {
  spec?: {
    secretRef?: SecretRef;
    tokenRef?: SecretRef;
    /** Lines as in authorized_keys. */
    publicKeys?: string[];
  };
  status?: { conditions?: Condition[]; replicas?: AgentReplica[] };
}

/** The agent's connections to one replica of the fleet. */
export interface AgentReplica {
  replica: string;
  state?: 'Connected' | 'Disconnected';
  address?: string;
  version?: string;
  connectedSince?: string;
  lastSeen?: string;
  bytesReceived?: number;
  bytesSent?: number;
  streams?: number;
}

export const agentsPath = '/apis/cluster.kubesphere.io/v1alpha1/agents';

/** The Secret of the tokens with which an agent logs in (AGENT-3). */
export const agentTokenRef = (cluster: string): SecretRef => ({
  namespace: secretsNamespace,
  name: `${cluster}-agent-token`,
});

/** The fields that the product writes into an Agent. Public keys are written by others. */
export const agentRefsOf = (cluster: Cluster): Pick<NonNullable<Agent['spec']>, 'secretRef' | 'tokenRef'> => ({
  ...(cluster.spec.secretRef ? { secretRef: cluster.spec.secretRef } : {}),
  ...(connectionTypeOf(cluster) === 'proxy' ? { tokenRef: agentTokenRef(cluster.metadata.name) } : {}),
});
