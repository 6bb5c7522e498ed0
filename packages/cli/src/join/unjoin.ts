/** Removes a member from the fleet: objects of federation, objects in the member, then those in the control plane (CLU-2). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { agentTokenPath } from '../agent/agent-tokens.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { isClusterName } from '../cluster-name.ts';
import { describe, HintedError } from '../errors.ts';
import { isManaged } from '../labels.ts';
import { poll } from '../poll.ts';
import { type Progress, Skipped } from '../progress.ts';
import { get } from './ensure.ts';
import { fleetOf, listClusters, uidOf } from './inspect.ts';
import { isFederated, leaveFederation, whatHolds } from './leave-federation.ts';
import { type Manifest, pathOf } from './manifest.ts';
import { allPermissions, memberNamespace } from './member-objects.ts';
import { isOtherFleet, joinedBy, refuseOtherFleet, refuseOtherMember } from './other-member.ts';
import { secretPathsOf } from './registration.ts';
import { remove } from './remove.ts';

/** How the member is reached: by a kubeconfig of its own, or through the fleet as the caller. */
export type MemberClient = { by: 'kubeconfig'; client: KubeClient; url: string } | { by: 'fleet'; client: KubeClient };

export interface UnjoinRequest {
  name: string;
  /** Goes on without the member's side. */
  force: boolean;
}

export interface UnjoinParts {
  member: MemberClient;
  controlPlane: KubeClient;
  progress: Progress;
}

export async function unjoin({ name, force }: UnjoinRequest, parts: UnjoinParts): Promise<void> {
  const { member, controlPlane, progress } = parts;
  let clusters: Cluster[] = [];
  let cluster: Cluster | undefined;
  await progress.step(`Find ${name} in the fleet`, async () => {
    clusters = await listClusters(controlPlane);
    cluster = clusters.find(({ metadata }) => metadata.name === name);
    if (cluster && !isManaged(cluster)) {
      throw new HintedError(
        `cluster "${name}" was not registered by fleet join`,
        `Delete it with kubectl, as in kubectl delete cluster ${name}`,
      );
    }
    if (!cluster && (member.by === 'fleet' || !isClusterName(name))) {
      throw new HintedError(`there is no cluster "${name}"`, 'See "fleet get clusters"');
    }
    return cluster ? undefined : 'not registered; cleaning up the member';
  });
  // Where it leads is known before anything is removed; a mistake is not what --force is for.
  let uid: string | Error | undefined;
  if (member.by === 'kubeconfig') {
    uid = await uidOf(member.client).catch((error: Error) => error);
    if (typeof uid === 'string') refuseOtherMember(clusters, { name, uid, url: member.url });
    if (typeof uid === 'string' && !cluster) await refuseOtherFleet(member.client, controlPlane);
  }
  const hasFederated = cluster !== undefined && (await isFederated(controlPlane, cluster));
  if (hasFederated) {
    await progress.step(`Remove what federation has put into ${name}`, async (report) => {
      try {
        // Before anything of it goes.
        await reach(member, uid).catch((error: unknown) => {
          throw unreachedMember(error, member.by, name);
        });
        return await leaveFederation(controlPlane, name, report);
      } catch (error) {
        if (!force) throw error;
        return new Skipped(`left as it is (${describe(error)})`);
      }
    });
  }
  await progress.step('Remove the namespace, accounts and permissions from the member', () =>
    clean(member, controlPlane, uid).catch((error: unknown) => {
      if (force) return new Skipped(`left as they are (${describe(error)})`);
      throw unreachedMember(error, member.by, name);
    }),
  );
  await progress.step('Remove the cluster and its credentials from the control plane', async (report) => {
    const holds = async () => {
      const left = await whatHolds(controlPlane, name, force);
      if (left) report(left);
      return left;
    };
    const { uid: clusterUid } = cluster?.metadata ?? {};
    const options = { uid: clusterUid, whatHolds: hasFederated ? holds : undefined };
    if (cluster) await remove(controlPlane, `${clustersPath}/${name}`, options);
    for (const path of [...secretPathsOf(name), agentTokenPath(name)]) await removeOurs(controlPlane, path);
    return undefined;
  });
}

async function reach({ by, client }: MemberClient, uid: string | Error | undefined): Promise<void> {
  if (uid instanceof Error) throw uid;
  if (by === 'fleet') await get(client, pathOf(memberNamespace));
}

/** `uid`: the id of the cluster that a kubeconfig leads to, or why it could not be read. */
async function clean(
  member: MemberClient,
  controlPlane: KubeClient,
  uid: string | Error | undefined,
): Promise<string | Skipped | undefined> {
  const home = pathOf(memberNamespace);
  if (!(uid instanceof Error) && isOtherFleet(await joinedBy(member.client), await fleetOf(controlPlane))) {
    return new Skipped('left as they are: another fleet has joined this cluster since, and uses them');
  }
  switch (member.by) {
    case 'kubeconfig': {
      if (uid instanceof Error) throw uid;
      const { object } = memberNamespace;
      for (const desired of allPermissions(object).reverse()) await removeOurs(member.client, pathOf(desired));
      await removeOurs(member.client, home);
      return undefined;
    }
    case 'fleet': {
      const found = await get(member.client, home);
      if (!found || !isManaged(found)) return 'nothing there';
      await adopt(member.client, found);
      // One call, since it cuts the branch it sits on: the member's own controllers do the rest.
      await member.client.delete(home, { propagationPolicy: 'Background' });
      await poll(() => outOfSight(member.client, home), {
        deadline: 30_000,
        late: () => new Error('the namespace is deleted in the member but does not go away'),
      });
      return undefined;
    }
    default:
      return member satisfies never;
  }
}

/** What came by an agent's manifest has no owner yet, and would be left over. */
async function adopt(client: KubeClient, namespace: Manifest): Promise<void> {
  const { uid } = namespace.metadata;
  for (const desired of allPermissions(namespace)) {
    const found = await get(client, pathOf(desired));
    if (!found || !isManaged(found) || found.metadata.ownerReferences?.some((owner) => owner.uid === uid)) continue;
    const { ownerReferences } = desired.object.metadata;
    await client.patch(pathOf(desired), 'merge', { metadata: { ownerReferences } });
  }
}

/** Gone, or going so well that the fleet can no longer look. */
async function outOfSight(client: KubeClient, path: string): Promise<true | undefined> {
  try {
    await client.get(path);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return true;
    throw error;
  }
}

async function removeOurs(client: KubeClient, path: string): Promise<void> {
  const found = await get(client, path);
  if (found && isManaged(found)) await remove(client, path, found.metadata);
}

function unreachedMember(error: unknown, by: MemberClient['by'], name: string): unknown {
  const unreached = error instanceof UnreachableError || (error instanceof StatusError && error.code >= 500);
  if (!unreached && !isStatus(error, 403) && !isStatus(error, 401)) return error;
  const other = by === 'fleet' ? 'Name its own kubeconfig with --kubeconfig, or' : 'Try again when it is back, or';
  return new HintedError(
    `cannot clean up in the member: ${describe(error)}`,
    `${other} take "${name}" out of the fleet only, with --force`,
    { cause: error },
  );
}
