/** Takes a member out of the fleet: its side first, while there is still a way to it (CLU-2). */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { describe, HintedError } from '../errors.ts';
import { isManaged } from '../labels.ts';
import { poll } from '../poll.ts';
import type { Progress } from '../progress.ts';
import { get } from './ensure.ts';
import { pathOf } from './manifest.ts';
import { memberNamespace, rights } from './member-objects.ts';
import { secretPathsOf } from './registration.ts';
import { remove } from './remove.ts';

/** How the member is reached: by a kubeconfig of its own, or through the fleet as the caller. */
export type WayToMember = { by: 'kubeconfig'; client: KubeClient } | { by: 'fleet'; client: KubeClient };

export interface UnjoinRequest {
  name: string;
  /** Goes on without the member's side. */
  force: boolean;
}

export interface UnjoinParts {
  member: WayToMember;
  controlPlane: KubeClient;
  progress: Progress;
}

export async function unjoin({ name, force }: UnjoinRequest, parts: UnjoinParts): Promise<void> {
  const { member, controlPlane, progress } = parts;
  let cluster: Cluster | undefined;
  await progress.step(`Find ${name} in the fleet`, async () => {
    cluster = (await get(controlPlane, `${clustersPath}/${name}`)) as Cluster | undefined;
    if (cluster && !isManaged(cluster)) {
      throw new HintedError(
        `cluster "${name}" was not registered by fleet join`,
        `Delete it with kubectl, as in kubectl delete cluster ${name}`,
      );
    }
    if (!cluster && member.by === 'fleet') {
      throw new HintedError(`there is no cluster "${name}"`, 'See "fleet get clusters"');
    }
    return cluster ? undefined : 'not registered; cleaning up the member';
  });
  await progress.step('Remove the namespace, accounts and rights from the member', () =>
    clean(member, cluster?.spec.id).catch((error: unknown) => {
      if (force) return `left as they are (${describe(error)})`;
      throw unreachedMember(error, member.by, name);
    }),
  );
  await progress.step('Remove the cluster and its credentials from the control plane', async () => {
    await remove(controlPlane, `${clustersPath}/${name}`, cluster?.metadata.uid);
    for (const path of secretPathsOf(name)) await removeOurs(controlPlane, path);
    return undefined;
  });
}

async function clean(member: WayToMember, id: string | undefined): Promise<string | undefined> {
  const home = pathOf(memberNamespace);
  switch (member.by) {
    case 'kubeconfig': {
      const { metadata } = await member.client.get<KubeObject>('/api/v1/namespaces/kube-system');
      if (id && metadata.uid !== id) throw new Error('the kubeconfig leads to another cluster than the one registered');
      for (const wanted of rights(memberNamespace.object, { bindAdmins: true }).reverse()) {
        await removeOurs(member.client, pathOf(wanted));
      }
      await removeOurs(member.client, home);
      return undefined;
    }
    case 'fleet': {
      const found = await get(member.client, home);
      if (!found || !isManaged(found)) return 'nothing there';
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
  if (found && isManaged(found)) await remove(client, path, found.metadata.uid);
}

function unreachedMember(error: unknown, by: WayToMember['by'], name: string): unknown {
  const unreached = error instanceof UnreachableError || (error instanceof StatusError && error.code >= 500);
  if (!unreached && !isStatus(error, 403) && !isStatus(error, 401)) return error;
  const other = by === 'fleet' ? 'Name its own kubeconfig with --kubeconfig, or' : 'Try again when it is back, or';
  return new HintedError(
    `cannot clean up in the member: ${describe(error)}`,
    `${other} take "${name}" out of the fleet only, with --force`,
    { cause: error },
  );
}
