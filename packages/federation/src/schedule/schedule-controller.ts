/** Decides for each binding which clusters get its object, and writes the result into the binding (FED-4, FED-5, FED-17). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { Binding, TargetCluster } from '../api/bindings.ts';
import { withCondition } from '../binding/conditions.ts';
import { templateOf } from '../binding/template-of.ts';
import {
  bindingPath,
  bindingSubject,
  bindingsOf,
  bindingWithKey,
  type Cluster,
  clustersOf,
  type Pipeline,
  reconciling,
} from '../pipeline.ts';
import type { Member } from './candidates.ts';
import { scheduledCondition, scheduleEvent } from './outcome.ts';
import { type ScheduleOptions, type ScheduleResult, schedule } from './schedule.ts';
import {
  appliedPlacement,
  appliedPlacementAnnotation,
  bindingTrigger,
  type ClusterChange,
  clusterTrigger,
  isSameForAll,
  isSchedulable,
} from './triggers.ts';

export interface SchedulingOptions extends ScheduleOptions {
  isFederated(cluster: Cluster): boolean;
  isActive(cluster: Cluster): boolean;
}

export function scheduleBindings(pipeline: Pipeline, options: SchedulingOptions): AsyncDisposable {
  /** Bindings with a trigger that has not led to a result yet. */
  const due = new Set<string>();
  const memberOf = (cluster: Cluster): Member => ({
    cluster,
    federated: options.isFederated(cluster),
    active: options.isActive(cluster),
  });
  const memberNamed = (name: string) => {
    const cluster = clustersOf(pipeline).get(name);
    return cluster && memberOf(cluster);
  };
  const queue = reconciling(pipeline, 'scheduling', async (key) => {
    const binding = bindingWithKey(pipeline, key);
    if (!binding || !isSchedulable(binding)) {
      due.delete(key);
      return;
    }
    if (!due.has(key)) {
      await observe(pipeline, binding);
      return;
    }
    due.delete(key);
    try {
      const members = [...clustersOf(pipeline).values()].map(memberOf);
      await write(pipeline, binding, schedule(binding, members, options));
    } catch (error) {
      due.add(key);
      throw error;
    }
  });
  const watches = [
    ...bindingsOf(pipeline).map((bindings) =>
      bindings.subscribe((key, now, old) => {
        if (!now) return;
        if (bindingTrigger(old, now, memberNamed)) due.add(key);
        queue.add(key, key);
      }),
    ),
    clustersOf(pipeline).subscribe((_name, now, old) => {
      const change = { before: old && memberOf(old), after: now && memberOf(now) } as ClusterChange;
      if (isSameForAll(change)) return;
      for (const bindings of bindingsOf(pipeline)) {
        for (const binding of bindings.values()) {
          if (!clusterTrigger(binding, change)) continue;
          due.add(keyOf(binding));
          queue.add(keyOf(binding), keyOf(binding));
        }
      }
    }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

async function write(pipeline: Pipeline, binding: Binding, result: ScheduleResult): Promise<void> {
  const { client, record, templates, now } = pipeline;
  const written = await writeResult(pipeline, binding, result);
  const { generation, resourceVersion } = written.metadata;
  const known = binding.status?.conditions ?? [];
  const conditions = withCondition(known, scheduledCondition(result), now());
  const isNew = written !== binding || conditions !== known;
  const isObserved = result.is === 'unschedulable' || binding.status?.schedulerObservedGeneration === generation;
  if (isNew || !isObserved) {
    const status = {
      conditions,
      ...(isObserved ? {} : { schedulerObservedGeneration: generation }),
      ...(isNew && result.is === 'scheduled' ? { lastScheduledTime: now() } : {}),
    };
    const patch = { metadata: { resourceVersion }, status };
    await client.patch(`${bindingPath(binding)}/status`, 'merge', patch).catch(ignoreGone);
  }
  if (isNew) {
    const { type, reason, message } = scheduleEvent(result);
    record(bindingSubject(binding), type, reason, message);
    const template = templateOf(templates, binding);
    if (template) record(template, type, reason, message);
  }
  // The old result stays, and the next attempt may find more.
  if (result.is === 'unschedulable') throw new Error(result.message);
}

/** Returns the written binding, or the same object if nothing was written. */
async function writeResult({ client }: Pipeline, binding: Binding, result: ScheduleResult): Promise<Binding> {
  if (result.is === 'unschedulable') return binding;
  const clusters = result.is === 'scheduled' ? result.clusters : [];
  const placement = appliedPlacement(binding.spec.placement ?? {});
  const { annotations = {}, resourceVersion } = binding.metadata;
  const isApplied = annotations[appliedPlacementAnnotation] === placement;
  if (isApplied && sameClusters(binding.spec.clusters ?? [], clusters)) return binding;
  const metadata = { resourceVersion, annotations: { [appliedPlacementAnnotation]: placement } };
  return client.patch<Binding>(bindingPath(binding), 'merge', { metadata, spec: { clusters } });
}

const sameClusters = (a: readonly TargetCluster[], b: readonly TargetCluster[]): boolean =>
  a.length === b.length &&
  a.every(({ name, replicas = 0 }, index) => name === b[index]!.name && replicas === (b[index]!.replicas ?? 0));

/** Nothing had to be scheduled, but the new generation is reported as observed. */
async function observe({ client }: Pipeline, binding: Binding): Promise<void> {
  const { generation, resourceVersion } = binding.metadata;
  const observed = binding.status?.schedulerObservedGeneration;
  if (observed === undefined || observed === generation) return;
  const patch = { metadata: { resourceVersion }, status: { schedulerObservedGeneration: generation } };
  await client.patch(`${bindingPath(binding)}/status`, 'merge', patch).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
