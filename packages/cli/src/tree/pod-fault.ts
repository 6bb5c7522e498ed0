/** Finds in its status why a pod does not run. */

import type { AnyObject } from '@fleet/federation/api/objects.ts';

interface PodStatus {
  phase?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
}

interface ContainerStatus {
  name: string;
  ready?: boolean;
  restartCount?: number;
  state?: {
    waiting?: { reason?: string; message?: string };
    terminated?: { reason?: string; exitCode?: number };
  };
}

/** States that every container passes through. */
const starting = new Set(['ContainerCreating', 'PodInitializing']);

/** Of the first of them that has something to report. */
export function podFault(pods: readonly AnyObject[]): string | undefined {
  for (const pod of pods) {
    const fault = faultOf(pod);
    if (fault) return `pod ${pod.metadata.name}: ${fault}`;
  }
  return undefined;
}

function faultOf({ metadata, status }: AnyObject): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  const { conditions = [], initContainerStatuses = [], containerStatuses = [] } = (status ?? {}) as PodStatus;
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (unscheduled) return textOf(unscheduled.reason ?? 'Unschedulable', unscheduled.message);
  for (const { name, state } of [...initContainerStatuses, ...containerStatuses]) {
    const { waiting, terminated } = state ?? {};
    if (waiting?.reason && !starting.has(waiting.reason))
      return `container ${name}: ${textOf(waiting.reason, waiting.message)}`;
    if (terminated && terminated.exitCode !== 0)
      return `container ${name}: ${terminated.reason ?? 'ended'}, exit code ${terminated.exitCode ?? '?'}`;
  }
  return undefined;
}

const textOf = (reason: string, message: string | undefined): string => (message ? `${reason}, ${message}` : reason);
