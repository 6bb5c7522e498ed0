/** Creates pods for a Job, and chooses which ones to remove. */

import type { OwnerReference } from '@fleet/client/kube-client.ts';
import type { Container, Pod } from '../../pods/pod.ts';
import { podsToDelete } from '../replica-sets/deletion-order.ts';
import { type NewPod, podFromTemplate } from '../shared/pod-control.ts';
import { judgeFailure } from './failure-policy.ts';
import { completionIndex, indexOf, isIndexed, isValidIndex, type Job, trackingFinalizer } from './job.ts';

const indexVariable = 'JOB_COMPLETION_INDEX';
const failureCount = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailureCount = 'batch.kubernetes.io/job-index-ignored-failure-count';
const longestPrefix = 58;

const countOf = ({ metadata }: Pod, annotation: string): number => Number(metadata.annotations?.[annotation]) || 0;

/** How often its index had failed before. */
export const failuresOf = (pod: Pod): number => countOf(pod, failureCount);

export const allFailuresOf = (pod: Pod): number => failuresOf(pod) + countOf(pod, ignoredFailureCount);

/** `replaced` is the pod that failed before with the same index. */
export function newJobPod(job: Job, ref: OwnerReference, index: number | undefined, replaced: Pod | undefined): NewPod {
  const pod = podFromTemplate(job.spec.template, job.metadata.name, ref);
  const finalizers = pod.metadata.finalizers ?? [];
  pod.metadata.finalizers = finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer];
  if (isIndexed(job)) {
    for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) addVariable(container);
  }
  if (index === undefined) return pod;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [completionIndex]: String(index),
    ...(job.spec.backoffLimitPerIndex === undefined ? {} : failureCounts(job, replaced)),
  };
  pod.metadata.labels = { ...pod.metadata.labels, [completionIndex]: String(index) };
  pod.spec.hostname = `${job.metadata.name}-${index}`;
  const suffix = `-${index}-`;
  const prefix = `${job.metadata.name}${suffix}`;
  pod.metadata.generateName =
    prefix.length > longestPrefix ? prefix.slice(0, longestPrefix - suffix.length) + suffix : prefix;
  return pod;
}

function addVariable(container: Container): void {
  if (container.env?.some(({ name }) => name === indexVariable)) return;
  const fieldPath = `metadata.labels['${completionIndex}']`;
  container.env = [...(container.env ?? []), { name: indexVariable, valueFrom: { fieldRef: { fieldPath } } }];
}

function failureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (!replaced) return { [failureCount]: '0' };
  const { isCounted } = judgeFailure(job.spec.podFailurePolicy, replaced);
  const ignored = countOf(replaced, ignoredFailureCount) + (isCounted ? 0 : 1);
  return {
    [failureCount]: String(failuresOf(replaced) + (isCounted ? 1 : 0)),
    ...(ignored > 0 ? { [ignoredFailureCount]: String(ignored) } : {}),
  };
}

/** At least `atLeast` pods; of Indexed Jobs also pods with a duplicate index or none. */
export function podsToRemove(job: Job, active: readonly Pod[], atLeast: number, now: number): Pod[] {
  if (!isIndexed(job)) return podsToDelete(active, [], atLeast, now).slice(0, atLeast);
  const removed: Pod[] = [];
  const left: Pod[] = [];
  for (const [index, pods] of Map.groupBy(active, indexOf)) {
    if (!isValidIndex(index, job)) removed.push(...pods);
    else {
      const superfluous = new Set(pods.length > 1 ? podsToDelete(pods, [], pods.length - 1, now) : []);
      removed.push(...superfluous);
      left.push(...pods.filter((pod) => !superfluous.has(pod)));
    }
  }
  if (removed.length < atLeast) removed.push(...podsToDelete(left, [], atLeast - removed.length, now));
  return removed;
}
