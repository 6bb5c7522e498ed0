/** `fleet describe cluster`: one member in detail. */

import type { Cluster } from '../cluster.ts';
import { describeCluster } from '../description.ts';
import { existingCluster } from '../existing-cluster.ts';
import { Fleet } from '../fleet-location.ts';

export interface DescribeFlags {
  fleetKubeconfig?: string;
}

export async function runDescribeCluster(name: string, { fleetKubeconfig }: DescribeFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  const cluster: Cluster = await existingCluster(fleet, name);
  process.stdout.write(describeCluster(cluster));
}
