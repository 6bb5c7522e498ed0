/** Reads the members of a fleet as the scheduler of federation sees them. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Member } from '@fleet/federation/schedule/candidates.ts';
import { federatedAnnotation } from '@fleet/server/kubesphere/face-annotations.ts';
import { type Cluster, clustersPath, conditionOf, isActive } from './cluster.ts';

export interface FederatedMember extends Member {
  /** Why requests to it fail. Undefined: it is ready. */
  unready?: string;
}

export async function readMembers(controlPlane: KubeClient): Promise<FederatedMember[]> {
  const { items } = await controlPlane.list<Cluster>(clustersPath);
  return items.map(memberOf);
}

function memberOf(cluster: Cluster): FederatedMember {
  const { metadata, spec, status } = cluster;
  const ready = conditionOf(cluster, 'Ready');
  return {
    cluster: { metadata, spec, status },
    federated: metadata.annotations?.[federatedAnnotation] !== 'false',
    active: isActive(cluster),
    ...(ready?.status === 'True' ? {} : { unready: ready?.message || 'nobody has looked at it yet' }),
  };
}
