/** Plans which nodes get a pod of a DaemonSet, and which pods are deleted. */

import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { isAvailable } from '../shared/pod-availability.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';
import { type DaemonSet, type DaemonSetStatus, hashLabel, isUpdated, surgeOf, unavailableOf } from './daemon-set.ts';
import { eligibilityOf } from './eligible-node.ts';

export interface DaemonState {
  set: DaemonSet;
  nodes: readonly Node[];
  /** By node, without pods that have ended and are being deleted. */
  pods: ReadonlyMap<string, readonly Pod[]>;
  hash: string;
}

export interface DaemonPlan {
  create: string[];
  delete: Pod[];
}

export const byAge = (left: Pod, right: Pod): number => {
  if (Boolean(left.spec.nodeName) !== Boolean(right.spec.nodeName)) return left.spec.nodeName ? -1 : 1;
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
};

/** `onEnded` decides whether a pod that failed or succeeded is replaced now. */
export function daemonPlan(
  state: DaemonState,
  clock: ScaledTime,
  onEnded: (pod: Pod, node: string) => boolean,
): DaemonPlan {
  const { set, nodes, pods } = state;
  const plan: DaemonPlan = { create: [], delete: [] };
  for (const node of nodes) {
    const { name } = node.metadata;
    const { shouldRun, shouldContinue } = eligibilityOf(set, node);
    const present = pods.get(name);
    const alive = (present ?? []).filter(({ metadata }) => !metadata.deletionTimestamp);
    if (shouldRun && !present) plan.create.push(name);
    else if (!shouldContinue) plan.delete.push(...alive);
    else {
      const ended = alive.filter(({ status }) => status?.phase === 'Failed' || status?.phase === 'Succeeded');
      plan.delete.push(...ended.filter((pod) => onEnded(pod, name)));
      const running = alive.filter((pod) => !ended.includes(pod)).sort(byAge);
      if (surgeOf(set, 1) === 0) plan.delete.push(...running.slice(1));
      else if (running.length === 0) {
        if (shouldRun) plan.create.push(name);
      } else plan.delete.push(...surplus(state, running, clock));
    }
  }
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  for (const [node, there] of pods) {
    if (!known.has(node)) plan.delete.push(...there.filter(({ spec }) => !spec.nodeName));
  }
  return plan;
}

/** With surge a node may have one old and one new pod until the new one is available. */
function surplus({ set, hash }: DaemonState, running: readonly Pod[], clock: ScaledTime): Pod[] {
  if (running.length <= 1) return [];
  const isNew = ({ metadata }: Pod): boolean => metadata.labels?.[hashLabel] === hash;
  const newest = running.find(isNew);
  const oldest = running.find((pod) => !isNew(pod));
  const gone = running.filter((pod) => pod !== newest && pod !== oldest);
  const isReplaced =
    newest && oldest && (!isReady(oldest) || isAvailable(newest, set.spec.minReadySeconds ?? 0, clock));
  return isReplaced ? [...gone, oldest] : gone;
}

/** The plan of a rolling update, once every node has its pod. */
export function rollingPlan(state: DaemonState, clock: ScaledTime): DaemonPlan {
  const { set, nodes } = state;
  const desired = nodes.filter((node) => eligibilityOf(set, node).shouldRun);
  const onNodes = new Map(state.pods);
  for (const { metadata } of desired) if (!onNodes.has(metadata.name)) onNodes.set(metadata.name, []);
  const isFit = (pod: Pod): boolean => isAvailable(pod, set.spec.minReadySeconds ?? 0, clock);
  const surge = surgeOf(set, desired.length);
  return surge === 0
    ? replacing(state, onNodes, unavailableOf(set, desired.length), isFit)
    : surging(state, onNodes, surge, desired, isFit);
}

/** Undefined if a node has several old or new pods: the next sync resolves that. */
function updatedPods(
  { set, hash }: DaemonState,
  pods: readonly Pod[],
): { newPod: Pod | undefined; oldPod: Pod | undefined } | undefined {
  const alive = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const updated = alive.filter((pod) => isUpdated(set, pod, hash));
  const old = alive.filter((pod) => !updated.includes(pod));
  return updated.length > 1 || old.length > 1 ? undefined : { newPod: updated[0], oldPod: old[0] };
}

/** Deletes old pods up to the limit of unavailable ones; pods that are unavailable already are deleted immediately. */
function replacing(
  state: DaemonState,
  onNodes: ReadonlyMap<string, readonly Pod[]>,
  most: number,
  isFit: (pod: Pod) => boolean,
): DaemonPlan {
  let unavailable = 0;
  const allowed: Pod[] = [];
  const candidates: Pod[] = [];
  for (const pods of onNodes.values()) {
    const found = updatedPods(state, pods);
    if (!found || Boolean(found.newPod) === Boolean(found.oldPod)) unavailable += 1;
    else if (found.newPod) unavailable += isFit(found.newPod) ? 0 : 1;
    else if (!isFit(found.oldPod!)) {
      allowed.push(found.oldPod!);
      unavailable += 1;
    } else if (unavailable < most) candidates.push(found.oldPod!);
  }
  return { create: [], delete: [...allowed, ...candidates.slice(0, Math.max(0, most - unavailable))] };
}

/** Creates new pods beside old ones, which are deleted once the new ones are available. */
function surging(
  state: DaemonState,
  onNodes: ReadonlyMap<string, readonly Pod[]>,
  most: number,
  desired: readonly Node[],
  isFit: (pod: Pod) => boolean,
): DaemonPlan {
  const desiredNames = new Set(desired.map(({ metadata }) => metadata.name));
  let surging = 0;
  let available = 0;
  const gone: Pod[] = [];
  const sunset: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  for (const [node, pods] of onNodes) {
    const found = updatedPods(state, pods);
    if (!found) {
      surging += 1;
      continue;
    }
    const { newPod, oldPod } = found;
    const counted = oldPod ?? newPod;
    if (counted && isFit(counted)) available += 1;
    if (!oldPod) continue;
    if (newPod) {
      if (isFit(newPod)) gone.push(oldPod);
      else surging += 1;
    } else if (!isFit(oldPod)) {
      if (desiredNames.has(node)) allowed.push(node);
      else gone.push(oldPod);
    } else if (!desiredNames.has(node)) sunset.push(oldPod);
    else if (surging < most) candidates.push(node);
  }
  const spare = Math.max(0, available - desired.length);
  return {
    create: [...allowed, ...candidates.slice(0, Math.max(0, most - surging))],
    delete: [...gone, ...sunset.slice(0, spare)],
  };
}

export function daemonStatus({ set, nodes, pods, hash }: DaemonState, clock: ScaledTime): DaemonSetStatus {
  const count = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const [pod] = [...(pods.get(node.metadata.name) ?? [])].sort(byAge);
    if (!eligibilityOf(set, node).shouldRun) {
      count.misscheduled += pod ? 1 : 0;
      continue;
    }
    count.desired += 1;
    if (!pod) continue;
    count.current += 1;
    count.ready += isReady(pod) ? 1 : 0;
    count.available += isAvailable(pod, set.spec.minReadySeconds ?? 0, clock) ? 1 : 0;
    count.updated += isUpdated(set, pod, hash) ? 1 : 0;
  }
  const unavailable = count.desired - count.available;
  return {
    currentNumberScheduled: count.current,
    numberMisscheduled: count.misscheduled,
    desiredNumberScheduled: count.desired,
    numberReady: count.ready,
    ...(set.metadata.generation ? { observedGeneration: set.metadata.generation } : {}),
    ...(count.updated > 0 ? { updatedNumberScheduled: count.updated } : {}),
    ...(count.available > 0 ? { numberAvailable: count.available } : {}),
    ...(unavailable > 0 ? { numberUnavailable: unavailable } : {}),
    ...(set.status?.collisionCount === undefined ? {} : { collisionCount: set.status.collisionCount }),
    ...(set.status?.conditions ? { conditions: set.status.conditions } : {}),
  };
}
