/** Gets a Cluster by name. The error of a missing one names the command that lists them. */

import { isStatus } from '@fleet/client/kube-client.ts';
import { type Cluster, clustersPath } from './cluster.ts';
import { isClusterName } from './cluster-name.ts';
import { HintedError } from './errors.ts';
import type { Fleet } from './fleet-location.ts';

/** Clusterspaces that are not members: the control plane, and all members. */
export const reservedClusterspaces: readonly string[] = ['karmada', 'all'];

export async function existingCluster(fleet: Fleet, name: string): Promise<Cluster> {
  const unknown = (cause?: unknown) =>
    new HintedError(`there is no cluster "${name}"`, 'See "fleet get clusters"', { cause });
  if (!isClusterName(name)) throw unknown();
  try {
    return await fleet.client('karmada').get<Cluster>(`${clustersPath}/${name}`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw unknown(error);
  }
}
