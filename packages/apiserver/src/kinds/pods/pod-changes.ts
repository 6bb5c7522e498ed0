/** Which part of a pod a write may change: everything, its status, ephemeral containers or resources (`registry/core/pod/strategy.go`). */

import type { KubeObject, ObjectMeta } from '../../registry/kube-object.ts';
import { applyLabelKeys } from './label-keys.ts';
import { type PodCondition, type PodStatus, withCondition } from './pod-conditions.ts';
import type { Container, PodSpec } from './pod-spec.ts';
import { qosClassOf } from './qos-class.ts';

export const specOf = (pod: KubeObject): PodSpec => (pod['spec'] ?? {}) as PodSpec;
export const statusOf = (pod: KubeObject): PodStatus => (pod['status'] ?? {}) as PodStatus;

const gated: PodCondition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

export function preparePod(pod: KubeObject): void {
  const spec = specOf(pod);
  const status: PodStatus = { phase: 'Pending', qosClass: qosClassOf(spec) };
  pod['status'] = spec.schedulingGates?.length ? withCondition(status, gated, Date.now()) : status;
  applyLabelKeys(pod);
}

export function preparePodUpdate(pod: KubeObject, old: KubeObject, subresource: string | undefined): void {
  switch (subresource) {
    case 'status':
      keepForStatus(pod, old);
      break;
    case 'ephemeralcontainers':
      keepButEphemeral(pod, old);
      break;
    case 'resize':
      keepButResources(pod, old);
      break;
    default:
  }
}

function keepForStatus(pod: KubeObject, old: KubeObject): void {
  keep(pod.metadata, old.metadata, ['ownerReferences']);
  const [status, before] = [{ ...statusOf(pod) }, statusOf(old)];
  if (!status.qosClass && before.qosClass) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration) status.observedGeneration = before.observedGeneration;
  if (status.conditions) status.conditions = withGenerations(status.conditions, before.conditions ?? []);
  pod['status'] = status;
}

/** A condition without an observedGeneration keeps its previous one. Several may have the same type. */
function withGenerations(conditions: readonly PodCondition[], before: readonly PodCondition[]): PodCondition[] {
  const left = Map.groupBy(before, ({ type }) => type);
  return conditions.map((condition) => {
    const generation = left.get(condition.type)?.shift()?.observedGeneration;
    return condition.observedGeneration || !generation ? condition : { ...condition, observedGeneration: generation };
  });
}

const resetForStatus = [
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

function keepButEphemeral(pod: KubeObject, old: KubeObject): void {
  const { ephemeralContainers } = specOf(pod);
  const { ephemeralContainers: _, ...rest } = specOf(old);
  pod['spec'] = { ...rest, ...(ephemeralContainers ? { ephemeralContainers } : {}) };
  keep(pod.metadata, old.metadata, resetForStatus);
}

function keepButResources(pod: KubeObject, old: KubeObject): void {
  const [spec, before] = [specOf(pod), specOf(old)];
  const isOther =
    (spec.containers?.length ?? 0) !== (before.containers?.length ?? 0) ||
    (spec.initContainers?.length ?? 0) !== (before.initContainers?.length ?? 0);
  // Validation refuses it.
  if (isOther) return;
  const { resources: _, ...rest } = before;
  const made: PodSpec = { ...rest, ...(spec.resources ? { resources: spec.resources } : {}) };
  if (spec.containers) made.containers = withResources(spec.containers, before.containers ?? []);
  if (spec.initContainers) made.initContainers = withResources(spec.initContainers, before.initContainers ?? []);
  pod['spec'] = made;
  keep(pod.metadata, old.metadata, resetForStatus);
}

function withResources(containers: Container[], before: readonly Container[]): Container[] {
  if (containers.some(({ name }, index) => name !== before[index]!.name)) return containers;
  return containers.map(({ resources, resizePolicy }, index) => {
    const { resources: _, resizePolicy: __, ...rest } = before[index]!;
    return { ...rest, ...(resources ? { resources } : {}), ...(resizePolicy ? { resizePolicy } : {}) } as Container;
  });
}

function keep(metadata: ObjectMeta, old: ObjectMeta, fields: readonly (keyof ObjectMeta)[]): void {
  for (const field of fields) {
    if (old[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: old[field] });
  }
}

/** The grace period of a deletion. A pod without a node, or one that has ended, is deleted immediately. */
export function podGracePeriod(pod: KubeObject, requested: number | undefined): number {
  const { nodeName, terminationGracePeriodSeconds = 0 } = specOf(pod);
  const { phase = '' } = statusOf(pod);
  if (!nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = requested ?? terminationGracePeriodSeconds;
  return seconds < 0 ? 1 : seconds;
}
