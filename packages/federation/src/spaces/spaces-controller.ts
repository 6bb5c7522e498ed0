/** Keeps an execution space, the namespace of the Works, for each Cluster until nothing is left in it (FED-1, FED-9). */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import type { Binding } from '../api/bindings.ts';
import { clustersPath, namespacesPath, objectPath, worksPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { isDeleted, isLeaving } from '../members/leaving.ts';
import { namespacesOf } from '../namespaces/namespace-plan.ts';
import { bindingPath, bindingsOf, type Cluster, clustersOf, type Pipeline, reconciling, worksOf } from '../pipeline.ts';
import { bindingIdOf } from '../work/marks.ts';
import { executionSpaceOf } from '../work/work-name.ts';
import { leftInCluster } from './left-in-cluster.ts';

/** Karmada's. */
export const clusterFinalizer = 'karmada.io/cluster-controller';
const systemLabel = { 'karmada.io/system': 'true' };
/** The wait for the deletion of a namespace. */
const goingMillis = 300;

export function keepSpaces(pipeline: Pipeline): AsyncDisposable {
  const clusters = clustersOf(pipeline);
  const queue = reconciling(pipeline, 'execution spaces', async (name) => {
    const cluster = clusters.get(name);
    if (!cluster) return;
    if (!isLeaving(cluster)) await keep(pipeline, cluster);
    else if ((await clear(pipeline, cluster)) && isDeleted(cluster) && !(await remove(pipeline, cluster))) {
      queue.addAfter(name, name, goingMillis);
    }
  });
  const addLeaving = () => {
    for (const cluster of clusters.values()) {
      if (isLeaving(cluster)) queue.add(cluster.metadata.name, cluster.metadata.name);
    }
  };
  const watches = [
    clusters.subscribe((name) => queue.add(name, name)),
    // A leaving cluster is checked again with each change: it is done with the last Work and binding, and late ones are removed.
    worksOf(pipeline).subscribe(addLeaving),
    ...bindingsOf(pipeline).map((bindings) => bindings.subscribe(addLeaving)),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

async function keep(pipeline: Pipeline, cluster: Cluster): Promise<void> {
  const { client, record } = pipeline;
  await setFinalizer(client, cluster, true);
  const name = executionSpaceOf(cluster.metadata.name);
  // Clusters report all the time; one that is being deleted cannot be made yet.
  if (pipeline.templates.get({ apiVersion: 'v1', kind: 'Namespace', name })) return;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: systemLabel } };
  try {
    await client.create(namespacesPath, namespace);
  } catch (error) {
    if (isStatus(error, 409)) return;
    record(subjectOf(cluster), 'Warning', 'CreateExecutionSpaceFailed', (error as Error).message);
    throw error;
  }
  const message = `Create execution space(${name}) for cluster(${cluster.metadata.name}) succeed.`;
  record(subjectOf(cluster), 'Normal', 'CreateExecutionSpaceSucceed', message);
}

/** Whether no Work and no binding is left. Bindings lose the cluster, so that the scheduler can replace it. */
async function clear(pipeline: Pipeline, { metadata }: Cluster): Promise<boolean> {
  const { client } = pipeline;
  const everyBinding = bindingsOf(pipeline).flatMap((bindings) => [...bindings.values()]);
  const { works, bindings } = leftInCluster(metadata.name, worksOf(pipeline).values(), everyBinding);
  for (const binding of bindings) await takeOut(client, binding, metadata.name);
  // The controller of namespaces decides about the Works of namespaces (FED-10).
  for (const work of works) if (!isOfNamespace(work)) await removeWork(client, work);
  return works.length + bindings.length === 0;
}

/** Not by a policy. */
const isOfNamespace = (work: Work): boolean => namespacesOf(work).length > 0 && bindingIdOf(work) === undefined;

/** This includes bindings that the scheduler ignores, such as suspended ones. */
async function takeOut(client: KubeClient, binding: Binding, cluster: string): Promise<void> {
  const clusters = binding.spec.clusters?.filter(({ name }) => name !== cluster) ?? [];
  const { resourceVersion } = binding.metadata;
  await client
    .patch(bindingPath(binding), 'merge', { metadata: { resourceVersion }, spec: { clusters } })
    .catch(ignoreGone);
}

async function removeWork(client: KubeClient, work: Work): Promise<void> {
  const { deletionTimestamp, uid } = work.metadata;
  if (deletionTimestamp !== undefined) return;
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  await client.delete(objectPath(worksPath, work), options).catch(ignoreGone);
}

/** Whether the execution space is gone. A space that is still being deleted would delete the Works of a new cluster of that name. */
async function remove(pipeline: Pipeline, cluster: Cluster): Promise<boolean> {
  const { client, record } = pipeline;
  const { name } = cluster.metadata;
  const space = executionSpaceOf(name);
  try {
    await client.delete(`${namespacesPath}/${space}`);
    return false;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  const message = `Remove execution space(${space}) for cluster(${name}) succeed.`;
  record(subjectOf(cluster), 'Normal', 'RemoveExecutionSpaceSucceed', message);
  await setFinalizer(client, cluster, false);
  return true;
}

function ignoreGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}

async function setFinalizer(client: KubeClient, cluster: KubeObject, isDesired: boolean): Promise<void> {
  const { finalizers = [], resourceVersion } = cluster.metadata;
  if (finalizers.includes(clusterFinalizer) === isDesired) return;
  const others = finalizers.filter((one) => one !== clusterFinalizer);
  const metadata = { resourceVersion, finalizers: isDesired ? [...others, clusterFinalizer] : others };
  try {
    await client.patch(objectPath(clustersPath, cluster), 'merge', { metadata });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

const subjectOf = (cluster: Cluster) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: cluster.metadata,
});
