/** Orders pods for deletion, as Kubernetes' ActivePodsWithRanks does. */

import type { Pod } from '../../pods/pod.ts';
import { isActive, isReady, readyCondition } from '../../pods/pod-conditions.ts';

const phases = new Map([
  ['Pending', 0],
  ['Unknown', 1],
  ['Running', 2],
]);

const phaseOf = ({ status }: Pod): number => phases.get(status?.phase ?? '') ?? 0;

/** 0 if it is missing. */
const time = (text: string | null | undefined): number => (text ? Date.parse(text) : 0);

/** Ages of the same order of magnitude count as equal, so that it is not always the youngest pod that is deleted. */
const magnitude = (since: number, now: number): number =>
  now > since ? Math.trunc(Math.log2((now - since) * 1e6)) : -1;

function byAge(left: number, right: number, leftPod: Pod, rightPod: Pod, now: number): number {
  if (left === 0 || right === 0) return left === 0 ? -1 : 1;
  const difference = magnitude(left, now) - magnitude(right, now);
  if (difference !== 0) return difference;
  return leftPod.metadata.uid! < rightPod.metadata.uid! ? -1 : 1;
}

const deletionCost = ({ metadata }: Pod): number => {
  const cost = Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
};

function restarts({ spec, status }: Pod): [number, number] {
  const most = (statuses: readonly { restartCount?: number }[] = []) =>
    statuses.reduce((highest, { restartCount = 0 }) => Math.max(highest, restartCount), 0);
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  return [
    most(status?.containerStatuses),
    most((status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))),
  ];
}

/** `related` are the pods of all ReplicaSets of the same owner: pods on nodes with many of them are deleted first. */
export function podsToDelete(pods: readonly Pod[], related: Iterable<Pod>, count: number, now: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const onNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec.nodeName ?? '';
    if (isActive(pod)) onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  const rank = ({ spec }: Pod): number => onNode.get(spec.nodeName ?? '') ?? 0;
  return [...pods].sort((left, right) => compare(left, right, rank, now)).slice(0, count);
}

function compare(left: Pod, right: Pod, rank: (pod: Pod) => number, now: number): number {
  const isAssigned = ({ spec }: Pod): number => (spec.nodeName ? 1 : 0);
  const leftReady = isReady(left);
  const rightReady = isReady(right);
  const difference =
    isAssigned(left) - isAssigned(right) ||
    phaseOf(left) - phaseOf(right) ||
    Number(leftReady) - Number(rightReady) ||
    deletionCost(left) - deletionCost(right) ||
    rank(right) - rank(left);
  if (difference !== 0) return difference;
  if (leftReady && rightReady) {
    const [leftSince, rightSince] = [left, right].map((pod) => time(readyCondition(pod)?.lastTransitionTime));
    if (leftSince !== rightSince) return byAge(leftSince!, rightSince!, left, right, now);
  }
  const [leftRestarts, leftSidecars] = restarts(left);
  const [rightRestarts, rightSidecars] = restarts(right);
  const restarted = rightRestarts - leftRestarts || rightSidecars - leftSidecars;
  if (restarted !== 0) return restarted;
  const [leftAge, rightAge] = [left, right].map(({ metadata }) => time(metadata.creationTimestamp));
  return leftAge === rightAge ? 0 : byAge(leftAge!, rightAge!, left, right, now);
}
