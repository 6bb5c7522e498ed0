/** Propagates every namespace of the control plane to the members, with one Work for each member (FED-10). */

import { isDeepStrictEqual } from 'node:util';
import { isStatus } from '@fleet/client/kube-client.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { clusterOverridePoliciesPath, inNamespace, objectPath, worksPath } from '../api/paths.ts';
import type { OverridePolicy } from '../api/policies.ts';
import type { Work } from '../api/works.ts';
import { clustersOf as clustersOfBinding } from '../binding/conditions.ts';
import { isLeaving } from '../members/leaving.ts';
import { applyOverrides, type Overridden } from '../override/apply-overrides.ts';
import { bindingsOf, type Cluster, clustersOf, type Pipeline, reconciling, worksOf } from '../pipeline.ts';
import { manifestOf } from '../work/manifest.ts';
import { bindingIdOf, workIdOf } from '../work/marks.ts';
import { clusterOfSpace, executionSpaceOf, workName } from '../work/work-name.ts';
import { mergedWork, workOf } from '../work/work-of.ts';
import { type NamespaceMember, namespaceOwner, namespacesOf, planOf } from './namespace-plan.ts';

interface NamespacesOptions {
  /** `--federation-namespaces=chosen`: only to members that something of the namespace is scheduled to. */
  chosenOnly: boolean;
  isFederated(cluster: Cluster): boolean;
}

export function keepNamespaces(pipeline: Pipeline, options: NamespacesOptions): AsyncDisposable {
  const { informers, templates } = pipeline;
  const [bindings] = bindingsOf(pipeline);
  const overrides = informers.of<OverridePolicy>(clusterOverridePoliciesPath);
  const works = worksOf(pipeline).index('namespace', namespacesOf);
  const bindingsIn = bindings.index('namespace', byNamespace);
  const queue = reconciling(pipeline, 'namespaces', (name) => reconcile(name));
  const add = (name: string) => queue.add(name, name);
  const addAll = () => {
    for (const { metadata } of templates.ofKind(namespaceKind)) add(metadata.name);
  };
  const chosenIn = (name: string) =>
    new Set([...bindingsIn.get(name)].flatMap(({ spec }) => [...clustersOfBinding(spec)]));

  const addChosen = (now: Binding | undefined, old: Binding | undefined) => {
    if (now?.metadata.namespace && now.metadata.generation !== old?.metadata.generation) add(now.metadata.namespace);
  };

  const reconcile = async (name: string): Promise<void> => {
    const namespace = namespaceNamed(pipeline, name);
    // The Works of one that is gone go with it.
    if (!namespace) return;
    const { give, release, remove } = planOf({
      namespace,
      members: [...clustersOf(pipeline).values()].map((cluster) => memberOf(pipeline, cluster, options)),
      chosen: options.chosenOnly ? chosenIn(name) : undefined,
      preserves: [...bindingsIn.get(name)].some(({ spec }) => spec.preserveResourcesOnDeletion),
      works: [...works.get(name)],
    });
    for (const work of release) await releaseWork(pipeline, work);
    for (const work of remove) await removeWork(pipeline, work);
    await writeWorks(pipeline, namespace, give, [...overrides.values()]);
  };

  const watches = [
    templates.subscribe((now, old) => {
      const { kind, apiVersion, metadata } = (now ?? old)!;
      if (kind !== namespaceKind.kind || apiVersion !== namespaceKind.apiVersion) return;
      // The execution space of a cluster that joins: from now on it can have Works.
      if (clusterOfSpace(metadata.name) === undefined) add(metadata.name);
      else if (now && !old) addAll();
    }),
    clustersOf(pipeline).subscribe((_name, now, old) => {
      if (now && !(old && isSameMember(now, old, options))) addAll();
    }),
    overrides.subscribe(addAll),
    worksOf(pipeline).subscribe((_key, now, old) => {
      if (now && now.metadata.generation === old?.metadata.generation) return;
      for (const name of namespacesOf((now ?? old)!)) add(name);
    }),
    ...(options.chosenOnly ? [bindings.subscribe((_key, now, old) => addChosen(now, old))] : []),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

const namespaceKind = { apiVersion: 'v1', kind: 'Namespace' } as const;

const namespaceNamed = ({ templates }: Pipeline, name: string): AnyObject | undefined =>
  templates.get({ ...namespaceKind, name });

const memberOf = (pipeline: Pipeline, cluster: Cluster, { isFederated }: NamespacesOptions): NamespaceMember => ({
  name: cluster.metadata.name,
  federated: isFederated(cluster),
  leaving: isLeaving(cluster),
  hasSpace: namespaceNamed(pipeline, executionSpaceOf(cluster.metadata.name)) !== undefined,
});

/** Overrides select clusters by labels and by fields of the spec; a heartbeat in the status is no change. */
const isSameMember = (now: Cluster, old: Cluster, { isFederated }: NamespacesOptions): boolean =>
  isFederated(now) === isFederated(old) &&
  isLeaving(now) === isLeaving(old) &&
  isDeepStrictEqual([now.metadata.labels, now.spec], [old.metadata.labels, old.spec]);

async function writeWorks(
  pipeline: Pipeline,
  namespace: AnyObject,
  clusters: readonly string[],
  overrides: readonly OverridePolicy[],
): Promise<void> {
  const { pace } = pipeline;
  const failures: string[] = [];
  for (const name of clusters) {
    if (pace.isDue) await pace.rest();
    const cluster = clustersOf(pipeline).get(name);
    try {
      if (cluster) await writeWork(pipeline, namespace, cluster, overrides);
    } catch (error) {
      if (isStatus(error, 409)) throw error;
      // One cluster that fails keeps no other from its Work.
      failures.push(`sync namespace(${namespace.metadata.name}) to cluster(${name}) failed due to: ${textOf(error)}`);
    }
  }
  if (failures.length === 0) return;
  const message = failures.join(', ');
  pipeline.record(namespace, 'Warning', 'SyncWorkFailed', message);
  throw new Error(message);
}

async function writeWork(
  pipeline: Pipeline,
  namespace: AnyObject,
  cluster: Cluster,
  overrides: readonly OverridePolicy[],
): Promise<void> {
  const { client, record } = pipeline;
  const { name } = cluster.metadata;
  const known = worksOf(pipeline).get(`${executionSpaceOf(name)}/${workName(namespace)}`);
  if (known && !isOwn(known, namespace)) return;
  const { manifest, appliedClusterOverrides } = overridden(pipeline, namespace, cluster, overrides);
  const desired = workOf({
    template: namespace,
    cluster: name,
    manifest: manifestOf(manifest),
    permanentId: (known && workIdOf(known)) ?? crypto.randomUUID(),
    suspended: false,
    overrides: { clusterApplied: appliedClusterOverrides },
    owner: namespaceOwner(namespace),
  });
  const merged = known ? mergedWork(known, desired) : desired;
  if (merged === known) return;
  if (known) await client.replace<Work>(objectPath(worksPath, known), merged);
  else await client.create<Work>(inNamespace(worksPath, merged.metadata.namespace), merged);
  if (!appliedClusterOverrides) return;
  record(namespace, 'Normal', 'ApplyOverridePolicySucceed', `Apply override policies for cluster(${name}) succeed.`);
}

/** Not a Work of a policy, which decides itself. A Work that is being deleted, or of an earlier Namespace, is created again afterwards. */
const isOwn = (known: Work, { metadata }: AnyObject): boolean =>
  bindingIdOf(known) === undefined &&
  known.metadata.deletionTimestamp === undefined &&
  !known.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid !== metadata.uid);

function overridden(
  { record }: Pipeline,
  namespace: AnyObject,
  cluster: Cluster,
  policies: readonly OverridePolicy[],
): Overridden {
  try {
    return applyOverrides(namespace, cluster, policies, []);
  } catch (error) {
    record(namespace, 'Warning', 'ApplyOverridePolicyFailed', textOf(error));
    throw error;
  }
}

/** In two steps: first the Work is marked to preserve its object, then it is deleted. */
async function releaseWork(pipeline: Pipeline, work: Work): Promise<void> {
  if (work.metadata.deletionTimestamp !== undefined) return;
  if (work.spec.preserveResourcesOnDeletion) {
    await removeWork(pipeline, work);
    return;
  }
  const patch = {
    metadata: { resourceVersion: work.metadata.resourceVersion },
    spec: { preserveResourcesOnDeletion: true },
  };
  await pipeline.client.patch(objectPath(worksPath, work), 'merge', patch).catch(ignoreGone);
}

async function removeWork({ client }: Pipeline, work: Work): Promise<void> {
  const { deletionTimestamp, uid } = work.metadata;
  if (deletionTimestamp !== undefined) return;
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  await client.delete(objectPath(worksPath, work), options).catch(ignoreGone);
}

const textOf = (error: unknown): string => (error as Error).message;

function ignoreGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
