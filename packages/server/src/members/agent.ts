/** The `Agent` object of a registered cluster (KS-5): references to its credentials, and how its agents are connected. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { type Cluster, type Condition, connectionTypeOf, type SecretRef, secretsNamespace } from './cluster.ts';

export interface Agent extends KubeObject {
  spec?: {
    secretRef?: SecretRef;
    tokenRef?: SecretRef;
    /** As in lines of authorized_keys. */
    publicKeys?: string[];
  };
  status?: { conditions?: Condition[]; replicas?: AgentReplica[] };
}

/** An agent as one replica of the fleet sees it. */
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

/** Where the tokens are kept that an agent logs in with (AGENT-3). */
export const agentTokenRef = (cluster: string): SecretRef => ({
  namespace: secretsNamespace,
  name: `${cluster}-agent-token`,
});

/** What the product keeps in an Agent; public keys are written by others. */
export const agentRefsOf = (cluster: Cluster): Pick<NonNullable<Agent['spec']>, 'secretRef' | 'tokenRef'> => ({
  ...(cluster.spec.secretRef ? { secretRef: cluster.spec.secretRef } : {}),
  ...(connectionTypeOf(cluster) === 'proxy' ? { tokenRef: agentTokenRef(cluster.metadata.name) } : {}),
});
