/** Builds the status of a pod as its node reports it. */

import { isDeepStrictEqual } from 'node:util';
import { timeText } from '@fleet/kube/time-text.ts';
import type { Pod, PodStatus } from '../pods/pod.ts';
import { containerStatuses } from './container-status.ts';
import { podConditions } from './pod-conditions.ts';
import { podPhase } from './pod-phase.ts';
import type { PodRecord } from './pod-record.ts';

/** Without fields of other owners, such as `qosClass` and `nominatedNodeName`. */
export function podStatus(pod: Pod, state: PodRecord, hostIp: string, now: number): PodStatus {
  const statuses = containerStatuses(pod, state, ['main']);
  const initStatuses = containerStatuses(pod, state, ['init', 'sidecar']);
  const ephemeralStatuses = containerStatuses(pod, state, ['ephemeral']);
  const reported = pod.status?.phase;
  // A terminal phase never changes.
  const isOver = reported === 'Succeeded' || reported === 'Failed';
  const { reason, message } = state.stopping ?? {};
  const phase = isOver ? reported : reason ? 'Failed' : podPhase(pod, state);
  // The network ends with the pod.
  const hasNetwork = state.ip !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
  return {
    phase,
    ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
    ...(reason ? { reason, message: message ?? '' } : {}),
    conditions: podConditions({ pod, phase, hasNetwork, initStatuses, statuses, now }),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(state.ip ? { podIP: state.ip, podIPs: [{ ip: state.ip }] } : {}),
    startTime: timeText(state.startTime),
    containerStatuses: statuses,
    ...(initStatuses.length > 0 ? { initContainerStatuses: initStatuses } : {}),
    ...(ephemeralStatuses.length > 0 ? { ephemeralContainerStatuses: ephemeralStatuses } : {}),
  };
}

/** Whether the API server has all of it already. */
export function isReported(pod: Pod, status: PodStatus): boolean {
  const known = (pod.status ?? {}) as Record<string, unknown>;
  return Object.entries(status).every(([field, value]) => isDeepStrictEqual(plain(known[field]), plain(value)));
}

/** Without the values that the API server omits: undefined and null fields are removed, empty objects are kept. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      field === undefined || field === null ? [] : [[key, plain(field)]],
    ),
  );
}
