/** Keeps `fleet unjoin` from removing what another member, or another fleet, still uses. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Cluster } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { get } from './ensure.ts';
import { fleetOf } from './inspect.ts';
import { pathOf } from './manifest.ts';
import { fleetAnnotation, memberNamespace } from './member-objects.ts';

interface Leaving {
  name: string;
  /** Of the cluster that the kubeconfig leads to. */
  uid: string;
  url: string;
}

/** Refuses a kubeconfig of another member than the one named: what join made there is still in use (CLU-2). */
export function refuseOtherMember(clusters: readonly Cluster[], { name, uid, url }: Leaving): void {
  const namesake = clusters.find(({ metadata }) => metadata.name === name);
  // A Cluster that was registered by hand may have no id.
  const isThere = ({ spec }: Cluster) => (spec.id ? spec.id === uid : spec.apiEndpoint === url);
  const twin = clusters.find((cluster) => cluster !== namesake && isThere(cluster));
  if (twin) {
    const known = twin.metadata.name;
    throw new HintedError(
      `the kubeconfig leads to the cluster that is registered as "${known}", not "${name}"`,
      `Nothing was removed. To take that one out, run "fleet unjoin ${known}"`,
    );
  }
  if (namesake?.spec.id && namesake.spec.id !== uid) {
    throw new HintedError(
      `the kubeconfig leads to another cluster than the one registered as "${name}"`,
      'Nothing was removed. Name the kubeconfig of that cluster, or leave --kubeconfig out',
    );
  }
}

/** Which fleet joined the member last; its accounts are that one's. Undefined if that cannot be read, or it was joined by no fleet. */
export async function joinedBy(member: KubeClient, signal?: AbortSignal): Promise<string | undefined> {
  return (await get(member, pathOf(memberNamespace), signal))?.metadata.annotations?.[fleetAnnotation];
}

/** Whether that is another fleet than this one, as far as both are known. */
export const isOtherFleet = (other: string | undefined, fleet: string | undefined): boolean =>
  other !== undefined && fleet !== undefined && other !== fleet;

/** Refuses a member that this fleet does not know and another one joined: it is in use there. */
export async function refuseOtherFleet(member: KubeClient, controlPlane: KubeClient): Promise<void> {
  if (!isOtherFleet(await joinedBy(member), await fleetOf(controlPlane))) return;
  throw new HintedError(
    'this cluster is not registered here, and was joined to another fleet',
    "Nothing was removed. Name that fleet's kubeconfig with --fleet-kubeconfig; if it is gone for good, delete the namespace fleet-system in the member",
  );
}
