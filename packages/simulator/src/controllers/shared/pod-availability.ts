/** Since when a pod is available, as in Kubernetes' `pkg/api/v1/pod`. */

import type { Pod } from '../../pods/pod.ts';
import { readyCondition } from '../../pods/pod-conditions.ts';
import type { ScaledTime } from './scaled-time.ts';

/** Milliseconds until it has been ready for long enough: 0 if it has, undefined while it is not ready. */
export function millisUntilAvailable(pod: Pod, minReadySeconds: number, clock: ScaledTime): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  if (!ready.lastTransitionTime) return undefined;
  const due = Date.parse(ready.lastTransitionTime) + clock.millis(minReadySeconds);
  return Math.max(0, due - clock.now());
}

export const isAvailable = (pod: Pod, minReadySeconds: number, clock: ScaledTime): boolean =>
  millisUntilAvailable(pod, minReadySeconds, clock) === 0;

/** Milliseconds until the next of them becomes available. */
export function nextAvailable(pods: Iterable<Pod>, minReadySeconds: number, clock: ScaledTime): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const millis = millisUntilAvailable(pod, minReadySeconds, clock);
    if (millis !== undefined && millis > 0 && (next === undefined || millis < next)) next = millis;
  }
  return next;
}
