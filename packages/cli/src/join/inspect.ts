/** Looks, before anything is made, at both sides of a join. */

import type { Endpoint } from '@fleet/client/https-upstream.ts';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { HintedError } from '../errors.ts';

export async function inspectMember(member: KubeClient, endpoint: Endpoint, signal: AbortSignal) {
  if (endpoint.tls.servername) {
    throw new HintedError(
      'the kubeconfig has a tls-server-name, for which a Cluster has no field',
      'Use an address that is in the certificate',
    );
  }
  const { gitVersion } = await member.get<{ gitVersion: string }>('/version', signal);
  const { metadata } = await member.get<KubeObject>('/api/v1/namespaces/kube-system', signal).catch(askForRights);
  return { version: gitVersion, uid: metadata.uid! };
}

export async function listClusters(controlPlane: KubeClient, signal: AbortSignal): Promise<Cluster[]> {
  try {
    return (await controlPlane.list<Cluster>(clustersPath, signal)).items;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw new HintedError('no fleet answers there', 'Name the kubeconfig of the fleet with --fleet-kubeconfig', {
      cause: error,
    });
  }
}

/** A refusal of the member, with what it takes. */
export function askForRights(error: unknown): never {
  if (!isStatus(error, 403)) throw error;
  throw new HintedError(error.message, 'Joining needs a user with cluster-admin in the member', { cause: error });
}
