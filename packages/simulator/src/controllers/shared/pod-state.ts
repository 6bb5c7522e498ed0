/** What a pod's status means to controllers, as in Kubernetes' `pkg/api/v1/pod` and `pkg/controller`. */

import type { Clock } from './clock.ts';
import type { Condition, Pod } from './objects.ts';

export const readyCondition = ({ status }: Pod): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

export const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Counts as a replica. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !pod.metadata.deletionTimestamp;

export const isTerminating = (pod: Pod): boolean => !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;

/** How long until it has been ready for long enough: 0 if it has, undefined while it is not ready. */
export function millisUntilAvailable(pod: Pod, minReadySeconds: number, clock: Clock): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  if (!ready.lastTransitionTime) return undefined;
  const due = Date.parse(ready.lastTransitionTime) + clock.millis(minReadySeconds);
  return Math.max(0, due - clock.now());
}

export const isAvailable = (pod: Pod, minReadySeconds: number, clock: Clock): boolean =>
  millisUntilAvailable(pod, minReadySeconds, clock) === 0;

/** When the next of them becomes available. */
export function nextAvailable(pods: Iterable<Pod>, minReadySeconds: number, clock: Clock): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const millis = millisUntilAvailable(pod, minReadySeconds, clock);
    if (millis !== undefined && millis > 0 && (next === undefined || millis < next)) next = millis;
  }
  return next;
}
