/** Builds and finds Clusters that are reached through an agent (AGENT-11). */

import { agentsPath, agentTokenRef } from '@fleet/server/members/agent.ts';
import { connectionTypeAnnotation, connectionTypeOf } from '@fleet/server/members/cluster.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { existingCluster } from '../existing-cluster.ts';
import type { Fleet } from '../fleet-location.ts';
import type { Desired } from '../join/manifest.ts';
import { isManaged, managed } from '../labels.ts';

/** Where pods find their API server: its host is what the certificate of every cluster is for. */
export const defaultEndpoint = 'https://kubernetes.default.svc:443';

export interface ProxyClusterFacts {
  name: string;
  apiEndpoint?: string | undefined;
  region?: string | undefined;
  provider?: string | undefined;
}

/** Without credentials and id: the agent hands over the ones, and the fleet reads the other through it. */
export const proxyClusterOf = ({ name, apiEndpoint, region, provider }: ProxyClusterFacts): Desired => ({
  collection: clustersPath,
  object: {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels: managed, annotations: { [connectionTypeAnnotation]: 'proxy' } },
    spec: {
      syncMode: 'Push',
      apiEndpoint: apiEndpoint ?? defaultEndpoint,
      ...(region === undefined ? {} : { region }),
      ...(provider === undefined ? {} : { provider }),
    },
  },
});

export const agentOf = ({ metadata: { name, uid = '' } }: Cluster): Desired => ({
  collection: agentsPath,
  object: {
    apiVersion: 'cluster.kubesphere.io/v1alpha1',
    kind: 'Agent',
    metadata: {
      name,
      ownerReferences: [{ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name, uid }],
    },
    spec: { tokenRef: agentTokenRef(name) },
  },
});

/** Refuses a name that is in use for a cluster of another kind. */
export function refuseOtherKind(cluster: Cluster | undefined, name: string): void {
  if (!cluster) return;
  if (!isManaged(cluster)) {
    throw new HintedError(
      `cluster "${name}" is registered already, not by fleet join`,
      `For a token of its agents run "fleet agent token rotate ${name}"`,
    );
  }
  if (connectionTypeOf(cluster) !== 'proxy') {
    throw new HintedError(
      `cluster "${name}" is registered already, and reached directly`,
      `Choose another name, or run "fleet unjoin ${name}" first`,
    );
  }
}

export async function existingProxyCluster(fleet: Fleet, name: string): Promise<Cluster> {
  const cluster = await existingCluster(fleet, name);
  if (connectionTypeOf(cluster) === 'proxy') return cluster;
  throw new HintedError(
    `cluster "${name}" is reached directly and has no agent`,
    'Agents are for clusters that were joined with "fleet join --agent"',
  );
}
