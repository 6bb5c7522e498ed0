/** Whether the server may start with federation off: not while its finalizers exist, which nobody would remove (FED-38). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { secretsNamespace } from './members/cluster.ts';

/** Of the Lease by which replicas elect the one that runs federation: it is there once federation was on. */
export const federationLease = 'fleet-federation';
export const federationLeasePath = `/apis/coordination.k8s.io/v1/namespaces/${secretsNamespace}/leases/${federationLease}`;

/**
 * Throws with the way out. A Karmada that runs in an existing control plane has the same finalizers, but not the Lease. The switch stays:
 * a replica that still runs with --federation would take its absence for on.
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
