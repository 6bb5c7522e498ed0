/** Inspects the member and the control plane before `fleet join` creates anything. */

import type { Endpoint } from '@fleet/client/https-upstream.ts';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { isFleetVersion } from '../fleet-location.ts';

export async function inspectMember(member: KubeClient, endpoint: Endpoint, signal: AbortSignal) {
  if (endpoint.tls.servername) {
    throw new HintedError(
      'the kubeconfig has a tls-server-name, for which a Cluster has no field',
      'Use an address that is in the certificate',
    );
  }
  const { gitVersion } = await member
    .get<{ gitVersion: string }>('/version', signal)
    .catch((error: unknown) => refuseCredential(error, endpoint.url));
  if (isFleetVersion(gitVersion)) {
    throw new HintedError(
      `${endpoint.url} is a fleet, which cannot be a member`,
      'Name the kubeconfig of a cluster with --kubeconfig, and its context with --context',
    );
  }
  return { version: gitVersion, uid: await uidOf(member, signal).catch(askForPermissions) };
}

function refuseCredential(error: unknown, url: string): never {
  if (!isStatus(error, 401)) throw error;
  throw new HintedError(
    `${url} does not accept the credential in the kubeconfig of the member`,
    'It may have expired, or be of another cluster',
    { cause: error },
  );
}

/** The id of a cluster, whatever its address: the uid of its namespace kube-system. */
export async function uidOf(cluster: KubeClient, signal?: AbortSignal): Promise<string> {
  const { metadata } = await cluster.get<KubeObject>('/api/v1/namespaces/kube-system', signal);
  return metadata.uid!;
}

/** The id of a fleet: that of its control plane. Undefined for a user who is not allowed to read it. */
export async function fleetOf(controlPlane: KubeClient, signal?: AbortSignal): Promise<string | undefined> {
  return uidOf(controlPlane, signal).catch((error: unknown) => {
    if (isStatus(error, 403) || isStatus(error, 404)) return undefined;
    throw error;
  });
}

export async function listClusters(controlPlane: KubeClient, signal?: AbortSignal): Promise<Cluster[]> {
  return (await controlPlane.list<Cluster>(clustersPath, signal)).items;
}

/** A refusal of the member, with what it takes. */
export function askForPermissions(error: unknown): never {
  if (!isStatus(error, 403)) throw error;
  throw new HintedError(error.message, 'Joining needs a user with cluster-admin in the member', { cause: error });
}
