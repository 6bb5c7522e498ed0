/** Refuses to start with federation off while objects have its finalizers, which nothing would remove then (FED-38). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { secretsNamespace } from './members/cluster.ts';

/** The Lease that elects the replica that runs federation. It exists once federation was on. */
export const federationLease = 'fleet-federation';
export const federationLeasePath = `/apis/coordination.k8s.io/v1/namespaces/${secretsNamespace}/leases/${federationLease}`;

/**
 * The error names the command to run. A Karmada in an existing control plane has the same finalizers, but not the Lease. The switch is
 * not deleted: a replica that still runs with --federation would take a missing switch for on.
 */
export async function refuseLeftovers(client: KubeClient): Promise<void> {
  if (!(await hasRun(client))) return;
  const { leftOfFederation } = await import('./federation-off.ts');
  const left = await leftOfFederation(client);
  if (left.length > 0) {
    const counts = left.map(({ resource, objects }) => `${objects.length} ${resource}`).join(', ');
    throw new Error(
      `federation is off, but objects have its finalizers: ${counts}. Nobody would remove them: start with --federation, ` +
        'run "fleet federation disable", then start without it',
    );
  }
}

async function hasRun(client: KubeClient): Promise<boolean> {
  try {
    await client.get(federationLeasePath);
    return true;
  } catch (error) {
    if (isStatus(error, 404) || isStatus(error, 403)) return false;
    throw error;
  }
}
