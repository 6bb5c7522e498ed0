/** The conditions that a kubelet owns: `pkg/kubelet/status/generate.go`. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { ContainerStatus, Pod, PodCondition } from '../pods/pod.ts';
import { isSidecar } from './container-kinds.ts';
import type { Phase } from './pod-phase.ts';

type Judgement = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

const owned = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

export interface ConditionInput {
  pod: Pod;
  phase: Phase;
  hasNetwork: boolean;
  initStatuses: readonly ContainerStatus[];
  statuses: readonly ContainerStatus[];
  now: number;
}

/** Conditions of other owners come first, unchanged. A transition time is kept while the status is the same. */
export function podConditions(input: ConditionInput): PodCondition[] {
  const { pod, hasNetwork, now } = input;
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => !owned.has(type));
  const ready = containersReady(input);
  const judged: Judgement[] = [
    { type: 'PodReadyToStartContainers', status: hasNetwork ? 'True' : 'False' },
    initialized(input),
    podReady(pod, ready),
    ready,
    { type: 'PodScheduled', status: 'True' },
  ];
  const generation = pod.metadata.generation;
  return [
    ...others,
    ...judged.map((one) => {
      const known = before.find(({ type }) => type === one.type);
      const { type, status, ...why } = one;
      return {
        type,
        ...(generation ? { observedGeneration: generation } : {}),
        status,
        lastProbeTime: null,
        lastTransitionTime: (known?.status === status ? known.lastTransitionTime : undefined) ?? timeText(now),
        ...why,
      };
    }),
  ];
}

/** Go's `%s` of a list. */
const listed = (names: readonly string[]): string => `[${names.join(' ')}]`;

function containersReady({ pod, phase, initStatuses, statuses }: ConditionInput): Judgement {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
  const all = [...sidecars, ...pod.spec.containers.map(({ name }) => name)];
  const known = new Map([...initStatuses, ...statuses].map((one) => [one.name, one.ready]));
  const unready = all.filter((name) => !known.get(name));
  if (unready.length === 0) return { type, status: 'True' };
  return {
    type,
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: ${listed(unready)}`,
  };
}

function podReady(pod: Pod, { status, reason, message }: Judgement): Judgement {
  const why = { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  if (status !== 'True') return { type: 'Ready', status, ...why };
  const conditions = new Map(pod.status?.conditions?.map((one) => [one.type, one]));
  const missing = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = conditions.get(conditionType);
    if (!found) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (missing.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: missing.join(', ') };
}

function initialized({ pod, phase, initStatuses, statuses }: ConditionInput): Judgement {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  // Once a main container has started, restarting sidecars do not change the condition.
  if (statuses.some(({ containerID }) => containerID)) return { type, status: 'True' };
  const byName = new Map(initStatuses.map((one) => [one.name, one]));
  const incomplete = (pod.spec.initContainers ?? []).filter((spec) => {
    const known = byName.get(spec.name);
    return isSidecar(spec) ? !known?.started : !known?.ready;
  });
  if (incomplete.length === 0) return { type, status: 'True' };
  return {
    type,
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: ${listed(incomplete.map(({ name }) => name))}`,
  };
}
