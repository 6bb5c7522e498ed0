/** Clusters that federation takes everything out of: those that are deleted, and those that `fleet unjoin` is about to delete (FED-9). */

import type { KubeObject } from '@fleet/client/kube-client.ts';

/** `"true"` on a Cluster: `fleet unjoin` removes the member's accounts, and the Cluster, once nothing of federation is left there. */
export const leavingAnnotation = 'fleet.karmada.io/leaving';

type Metadata = Pick<KubeObject['metadata'], 'deletionTimestamp' | 'annotations'>;

export const isDeleted = ({ metadata }: { metadata: Metadata }): boolean => metadata.deletionTimestamp !== undefined;

export const isLeaving = (cluster: { metadata: Metadata }): boolean =>
  isDeleted(cluster) || cluster.metadata.annotations?.[leavingAnnotation] === 'true';
