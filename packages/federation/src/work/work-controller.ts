/** Creates one Work for each cluster of a scheduled binding, and removes the Works of other clusters (FED-7, FED-9, FED-18). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { nextTurn } from '@fleet/client/turns.ts';
import type { Binding, TargetCluster } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { clusterOverridePoliciesPath, inNamespace, objectPath, overridePoliciesPath, worksPath } from '../api/paths.ts';
import type { OverridePolicy } from '../api/policies.ts';
import type { Work } from '../api/works.ts';
import { ownersOf } from '../binding/owners.ts';
import { isSameButStatus } from '../binding/same-but-status.ts';
import { faultOf, templateOf } from '../binding/template-of.ts';
import { isLeaving } from '../members/leaving.ts';
import { applyOverrides, type Overridden } from '../override/apply-overrides.ts';
import { Budget } from '../override/budget.ts';
import {
  bindingPath,
  bindingSubject,
  bindingsOf,
  bindingWithKey,
  type Cluster,
  clustersOf,
  type Pipeline,
  reconciling,
  worksOf,
} from '../pipeline.ts';
import { manifestOf } from './manifest.ts';
import { bindingIdOf, workIdOf } from './marks.ts';
import { revised } from './revised.ts';
import { executionSpaceOf, workName } from './work-name.ts';
import { isOfAnotherTemplate, mergedWork, workOf } from './work-of.ts';
import { worksOfBinding } from './works-of-binding.ts';

export function keepWorks(pipeline: Pipeline): AsyncDisposable {
  const { informers, templates } = pipeline;
  const works = worksOf(pipeline).index('binding', (work) => bindingIdOf(work) ?? []);
  const overrides = [
    informers.of<OverridePolicy>(clusterOverridePoliciesPath),
    informers.of<OverridePolicy>(overridePoliciesPath),
  ] as const;
  const queue = reconciling(pipeline, 'works', (key) => reconcile(key), 8);
  const addAll = (namespace?: string) => {
    for (const bindings of bindingsOf(pipeline)) {
      for (const binding of bindings.values()) {
        if (!namespace || binding.metadata.namespace === namespace) queue.add(keyOf(binding), keyOf(binding));
      }
    }
  };
  const reconcile = async (key: string): Promise<void> => {
    const binding = bindingWithKey(pipeline, key);
    if (!binding || bindingIdOf(binding) === undefined) return;
    const known = worksOfBinding(works, binding);
    if (binding.metadata.deletionTimestamp !== undefined) {
      await finish(pipeline, binding, known);
      return;
    }
    const targets = targetsOf(binding);
    const desired = new Set(targets.map(({ name }) => executionSpaceOf(name)));
    await removeWorks(
      pipeline,
      known.filter(({ metadata }) => !desired.has(metadata.namespace ?? '')),
    );
    const fault = faultOf(binding);
    if (fault !== undefined) pipeline.record(bindingSubject(binding), 'Warning', 'SyncWorkFailed', fault);
    const template = templateOf(templates, binding);
    if (!template) return;
    await writeWorks(pipeline, { binding, template, targets, policies: overrides });
  };
  const watches = [
    ...bindingsOf(pipeline).map((bindings) =>
      bindings.subscribe((key, now, old) => {
        if (now && !isSameButStatus(now, old)) queue.add(key, key);
      }),
    ),
    // A Work that somebody has changed or deleted is written again. Once the last Work of a deleted binding is gone, so is its finalizer.
    worksOf(pipeline).subscribe((_key, now, old) => {
      const [id] = bindingIdOf((now ?? old)!) ?? [];
      if (id === undefined || (now && now.metadata.generation === old?.metadata.generation)) return;
      for (const bindings of bindingsOf(pipeline)) {
        const byId = bindings.index('permanent id', (binding) => bindingIdOf(binding) ?? []);
        for (const binding of byId.get(id)) queue.add(keyOf(binding), keyOf(binding));
      }
    }),
    templates.subscribe((now, old) => {
      if (!now || isSameButStatus(now, old)) return;
      for (const bindings of bindingsOf(pipeline)) {
        const byTemplate = bindings.index('owner', ownersOf);
        for (const binding of byTemplate.get(now.metadata.uid ?? '')) queue.add(keyOf(binding), keyOf(binding));
      }
    }),
    pipeline.onHooks(() => addAll()),
    ...overrides.map((policies) => policies.subscribe((_key, now, old) => addAll((now ?? old)?.metadata.namespace))),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** Its own clusters, and those of its parents (FED-11). */
function targetsOf({ spec }: Binding): TargetCluster[] {
  const targets = new Map<string, TargetCluster>();
  for (const target of spec.clusters ?? []) targets.set(target.name, target);
  for (const { clusters = [] } of spec.requiredBy ?? []) {
    for (const target of clusters) if (!targets.has(target.name)) targets.set(target.name, target);
  }
  return [...targets.values()];
}

interface Writing {
  binding: Binding;
  template: AnyObject;
  targets: readonly TargetCluster[];
  policies: readonly [{ values(): Iterable<OverridePolicy> }, { values(): Iterable<OverridePolicy> }];
}

async function writeWorks(pipeline: Pipeline, writing: Writing): Promise<void> {
  const { binding, template, targets } = writing;
  const { record, pace } = pipeline;
  const failures: string[] = [];
  let written = 0;
  for (const target of targets) {
    if (pace.isDue) await pace.rest();
    try {
      if (await writeWork(pipeline, writing, target)) written++;
    } catch (error) {
      if (isStatus(error, 409)) throw error;
      // One cluster that fails keeps no other from its Work.
      failures.push((error as Error).message);
    }
  }
  if (failures.length > 0) {
    const message = failures.join(', ');
    for (const about of [bindingSubject(binding), template]) record(about, 'Warning', 'SyncWorkFailed', message);
    throw new Error(message);
  }
  if (written === 0) return;
  const { kind } = bindingSubject(binding);
  const message = `Sync work of ${kind}(${keyOf(binding)}) successful.`;
  for (const about of [bindingSubject(binding), template]) record(about, 'Normal', 'SyncWorkSucceed', message);
}

async function writeWork(pipeline: Pipeline, writing: Writing, target: TargetCluster): Promise<boolean> {
  const { binding, template } = writing;
  const { client } = pipeline;
  const cluster = clustersOf(pipeline).get(target.name);
  if (!cluster || isLeaving(cluster)) return false;
  const known = worksOf(pipeline).get(`${executionSpaceOf(target.name)}/${workName(template)}`);
  if (known && isOfAnotherTemplate(known, template)) {
    throw new Error(`Work ${keyOf(known)} has the same name, and is of another template`);
  }
  const manifest = await shaped(pipeline, writing, cluster, target);
  const desired = workOf({
    binding,
    template,
    cluster: target.name,
    manifest: manifestOf(manifest.manifest),
    permanentId: (known && workIdOf(known)) ?? crypto.randomUUID(),
    suspended: isSuspended(binding, target.name),
    overrides: { applied: manifest.appliedOverrides, clusterApplied: manifest.appliedClusterOverrides },
  });
  if (!known) {
    await client.create<Work>(inNamespace(worksPath, desired.metadata.namespace), desired);
    return true;
  }
  // It is deleted with its earlier binding, and created again after that.
  if (known.metadata.deletionTimestamp !== undefined) throw new Error(`Work ${keyOf(known)} is being deleted`);
  const merged = mergedWork(known, desired);
  if (merged === known) return false;
  await client.replace<Work>(objectPath(worksPath, known), merged);
  return true;
}

/** The template as one cluster is to have it: revised, packed, then overridden, so that overrides win. */
async function shaped(
  { explorer, record }: Pipeline,
  { binding, template, targets, policies }: Writing,
  cluster: Cluster,
  target: TargetCluster,
): Promise<Overridden> {
  const packed = await explorer.pack(await revised(explorer, template, binding, target, targets));
  const budget = new Budget();
  try {
    const overridden = applyOverrides(packed, cluster, [...policies[0].values()], [...policies[1].values()], budget);
    if (overridden.appliedClusterOverrides ?? overridden.appliedOverrides) {
      const message = `Apply override policies for cluster(${target.name}) succeed.`;
      record(template, 'Normal', 'ApplyOverridePolicySucceed', message);
    }
    return overridden;
  } catch (error) {
    record(template, 'Warning', 'ApplyOverridePolicyFailed', (error as Error).message);
    throw error;
  } finally {
    // Other work of the event loop, such as requests, runs before the next cluster (SEC-3).
    if (budget.spent > mostStepsOfTurn) await nextTurn();
  }
}

/** Overrides of a few fields need no turn of their own. */
const mostStepsOfTurn = 1_000;

function isSuspended({ spec: { suspension } }: Binding, cluster: string): boolean {
  if (suspension?.dispatching) return true;
  return suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) ?? false;
}

async function removeWorks({ client }: Pipeline, works: readonly Work[]): Promise<void> {
  for (const work of works) {
    if (work.metadata.deletionTimestamp !== undefined) continue;
    const preconditions = work.metadata.uid ? { uid: work.metadata.uid } : {};
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    try {
      await client.delete(objectPath(worksPath, work), options);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }
}

const finalizers = ['karmada.io/binding-controller', 'karmada.io/cluster-resource-binding-controller'];

/** A deleted binding stays until its last Work is gone. */
async function finish(pipeline: Pipeline, binding: Binding, works: readonly Work[]): Promise<void> {
  await removeWorks(pipeline, works);
  const { finalizers: known = [], resourceVersion } = binding.metadata;
  if (works.length > 0 || !finalizers.some((one) => known.includes(one))) return;
  const left = known.filter((one) => !finalizers.includes(one));
  try {
    await pipeline.client.patch(bindingPath(binding), 'merge', { metadata: { resourceVersion, finalizers: left } });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}
