/** The Cluster as the command line reads it: the server's own, so that there is one. */

import type { Cluster, Condition } from '@fleet/server/members/cluster.ts';

export { type Cluster, clustersPath, isActive, secretsNamespace } from '@fleet/server/members/cluster.ts';
export { clusterAnnotation } from '@fleet/server/members/credential.ts';

export const conditionOf = (cluster: Cluster, type: string): Condition | undefined =>
  cluster.status?.conditions?.find((condition) => condition.type === type);
