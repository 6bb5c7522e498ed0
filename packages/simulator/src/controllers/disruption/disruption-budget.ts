/** The PodDisruptionBudget kind: how many pods may be evicted now. */

import { type SelectorObject, selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { conditionOf } from '../shared/conditions.ts';
import { scaled } from '../shared/int-or-percent.ts';
import type { Condition, IntOrPercent } from '../shared/objects.ts';
import type { ScaledTime } from '../shared/scaled-time.ts';

export interface DisruptionStatus {
  observedGeneration?: number;
  /** By pod name, the time at which the eviction was allowed. */
  disruptedPods?: Record<string, string>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: Condition[];
}

export interface DisruptionBudget extends KubeObject {
  spec: { minAvailable?: IntOrPercent; maxUnavailable?: IntOrPercent; selector?: SelectorObject };
  status?: DisruptionStatus;
}

export const disruptionBudgets = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  root: 'apis/policy/v1',
  resource: 'poddisruptionbudgets',
};

/** In seconds: a pod that still exists this long after its eviction was allowed counts again. */
const deletionSeconds = 120;

export const coversPod = ({ metadata, spec }: DisruptionBudget, pod: Pod): boolean =>
  spec.selector !== undefined &&
  metadata.namespace === pod.metadata.namespace &&
  selectsByObject(spec.selector, pod.metadata.labels ?? {});

/** Whether it depends on the sizes of the pods' controllers. */
export const needsScale = ({ spec }: DisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';

/** `scale` is the sum of the desired replicas of the pods' controllers. */
export function expectedPods(
  { spec }: DisruptionBudget,
  pods: number,
  scale: number,
): { expected: number; desired: number } {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined) {
    return { expected: scale, desired: Math.max(0, scale - scaled(maxUnavailable, scale, true)) };
  }
  if (typeof minAvailable === 'string') return { expected: scale, desired: scaled(minAvailable, scale, true) };
  return minAvailable === undefined ? { expected: 0, desired: 0 } : { expected: pods, desired: minAvailable };
}

export interface Disrupted {
  pods: Record<string, string>;
  /** When the next disrupted pod counts again. */
  recheck: number | undefined;
  notDeleted: Pod[];
}

export function disruptedPods({ status }: DisruptionBudget, pods: readonly Pod[], clock: ScaledTime): Disrupted {
  const disrupted: Disrupted = { pods: {}, recheck: undefined, notDeleted: [] };
  const known = new Map(Object.entries(status?.disruptedPods ?? {}));
  for (const pod of pods) {
    const time = known.get(pod.metadata.name);
    if (time === undefined || pod.metadata.deletionTimestamp) continue;
    const left = Date.parse(time) + clock.millis(deletionSeconds) - clock.now();
    if (left < 0) disrupted.notDeleted.push(pod);
    else {
      disrupted.pods[pod.metadata.name] = time;
      disrupted.recheck = Math.min(disrupted.recheck ?? left, left);
    }
  }
  return disrupted;
}

export function disruptionStatus(
  budget: DisruptionBudget,
  pods: readonly Pod[],
  { expected, desired }: { expected: number; desired: number },
  disrupted: Record<string, string>,
  clock: ScaledTime,
): DisruptionStatus {
  const healthy = pods.filter(
    (pod) => !pod.metadata.deletionTimestamp && !Object.hasOwn(disrupted, pod.metadata.name) && isReady(pod),
  ).length;
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const generation = budget.metadata.generation ?? 0;
  return {
    ...(generation ? { observedGeneration: generation } : {}),
    ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withAllowed(budget, clock, {
      status: allowed > 0 ? 'True' : 'False',
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    }),
  };
}

/** Allows no eviction while the numbers are unknown. */
export function failedStatus(budget: DisruptionBudget, message: string, clock: ScaledTime): DisruptionStatus {
  const { status } = budget;
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
    conditions: withAllowed(
      budget,
      clock,
      { status: 'False', reason: 'SyncFailed', message },
      status?.observedGeneration,
    ),
  };
}

function withAllowed(
  { metadata, status }: DisruptionBudget,
  clock: ScaledTime,
  next: { status: string; reason: string; message: string },
  observedGeneration = metadata.generation ?? 0,
): Condition[] {
  const type = 'DisruptionAllowed';
  const known = conditionOf(status?.conditions, type);
  const since = known?.status === next.status ? known.lastTransitionTime : undefined;
  const condition: Condition = {
    type,
    ...next,
    ...(observedGeneration ? { observedGeneration } : {}),
    lastTransitionTime: since ?? timeText(clock.now()),
  };
  return known
    ? status!.conditions!.map((one) => (one === known ? condition : one))
    : [...(status?.conditions ?? []), condition];
}
