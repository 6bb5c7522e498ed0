/** Removes the objects of federation from a member, before its accounts and its Cluster are removed (FED-9). */

import { setTimeout as delay } from 'node:timers/promises';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import {
  clusterResourceBindingsPath,
  inNamespace,
  objectPath,
  resourceBindingsPath,
  worksPath,
} from '@fleet/federation/api/paths.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { leavingAnnotation } from '@fleet/federation/members/leaving.ts';
import { type LeftInCluster, leftInCluster } from '@fleet/federation/spaces/left-in-cluster.ts';
import { clusterFinalizer } from '@fleet/federation/spaces/spaces-controller.ts';
import { executionSpaceOf } from '@fleet/federation/work/work-name.ts';
import { executionFinalizer } from '@fleet/federation/work/work-of.ts';
import { type Cluster, clustersPath, conditionOf } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { hasFederation, refuseWithoutLeader } from '../federation-leader.ts';
import type { ReportProgress } from '../progress.ts';

/** Without anything getting less. */
const longestStandstill = 60_000;
const pause = 500;
/** Of the objects that are named. */
const shown = 3;

/** Whether federation may have something in it. */
export const isFederated = async (controlPlane: KubeClient, { metadata }: Cluster): Promise<boolean> =>
  (metadata.finalizers?.includes(clusterFinalizer) ?? false) && (await hasFederation(controlPlane));

/** Until no Work and no binding names the cluster. Its template's replicas go to other clusters meanwhile. */
export async function leaveFederation(
  controlPlane: KubeClient,
  name: string,
  report: ReportProgress,
  standstill = longestStandstill,
): Promise<string | undefined> {
  await refuseWithoutLeader(controlPlane);
  refuseUnready(await controlPlane.get<Cluster>(`${clustersPath}/${name}`));
  await controlPlane.patch(`${clustersPath}/${name}`, 'merge', {
    metadata: { annotations: { [leavingAnnotation]: 'true' } },
  });
  let left = await leftOf(controlPlane, name);
  let lastLess = Date.now();
  const { length: removed } = left.works;
  while (countOf(left) > 0) {
    report(textOf(left));
    if (Date.now() - lastLess > standstill) throw standingStill(left, name);
    await delay(pause);
    refuseUnready(await controlPlane.get<Cluster>(`${clustersPath}/${name}`));
    const before = countOf(left);
    left = await leftOf(controlPlane, name);
    if (countOf(left) < before) lastLess = Date.now();
  }
  return removed > 0 ? `${countText(removed, 'object')} removed or released` : 'nothing there';
}

/** What holds the deleted Cluster, for the progress line. With --force its Works are dropped: their objects stay in the member. */
export async function whatHolds(controlPlane: KubeClient, name: string, force: boolean): Promise<string | undefined> {
  const left = await leftOf(controlPlane, name);
  if (force) for (const work of left.works) await drop(controlPlane, work);
  return countOf(left) > 0 ? textOf(left) : undefined;
}

async function leftOf(client: KubeClient, cluster: string): Promise<LeftInCluster> {
  const works = await client.list<Work>(inNamespace(worksPath, executionSpaceOf(cluster)));
  const bindings = await client.list<Binding>(resourceBindingsPath);
  const clusterBindings = await client.list<Binding>(clusterResourceBindingsPath);
  return leftInCluster(cluster, works.items, [...bindings.items, ...clusterBindings.items]);
}

async function drop(client: KubeClient, work: Work): Promise<void> {
  const { finalizers = [], deletionTimestamp, resourceVersion } = work.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(executionFinalizer)) return;
  const left = finalizers.filter((one) => one !== executionFinalizer);
  try {
    await client.patch(objectPath(worksPath, work), 'merge', { metadata: { resourceVersion, finalizers: left } });
  } catch (error) {
    // It is gone, or somebody has written to it: it is looked at again.
    if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
  }
}

/** Nothing would be removed there, and what federation has there would be forgotten with its accounts. */
function refuseUnready(cluster: Cluster): void {
  const ready = conditionOf(cluster, 'Ready');
  if (ready?.status === 'True') return;
  const { name } = cluster.metadata;
  const why = ready?.message ? `: it ${ready.message}` : '';
  throw new HintedError(
    `what federation has put into "${name}" cannot be removed, as the fleet cannot use the member${why}`,
    `Try again when it is back, or take "${name}" out of the fleet only, with --force`,
  );
}

const standingStill = (left: LeftInCluster, name: string): HintedError =>
  new HintedError(
    `${textOf(left)}, and nothing more goes`,
    `The server's log has the reason. Repeat the command, with --force to leave them; "fleet join ${name}" keeps the cluster`,
  );

const countOf = ({ works, bindings }: LeftInCluster): number => works.length + bindings.length;

/** As in `2 objects (Deployment shop/web, Namespace shop) and 1 binding are left`. */
function textOf({ works, bindings }: LeftInCluster): string {
  const parts = [
    ...(works.length > 0 ? [`${countText(works.length, 'object')} (${namesOf(works)})`] : []),
    ...(bindings.length > 0 ? [countText(bindings.length, 'binding')] : []),
  ];
  return `${parts.join(' and ')} left`;
}

function namesOf(works: readonly Work[]): string {
  const names = works.slice(0, shown).map(({ spec, metadata }) => {
    const [manifest] = spec.workload?.manifests ?? [];
    if (!manifest) return `Work ${metadata.name}`;
    const { namespace, name } = manifest.metadata;
    return `${manifest.kind} ${namespace ? `${namespace}/` : ''}${name}`;
  });
  return [...names, ...(works.length > shown ? ['…'] : [])].join(', ');
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
