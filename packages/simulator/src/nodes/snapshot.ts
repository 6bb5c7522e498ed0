/** Builds the read-only view of a pod's state. */

import type { PodRecord } from './pod-record.ts';
import type { RunningPod } from './running-pod.ts';

export function snapshot(key: string, { uid, node, ip, containers }: PodRecord): RunningPod {
  const [namespace = '', name = ''] = key.split('/');
  return {
    uid,
    namespace,
    name,
    node,
    ip,
    containers: containers.map(({ step, current, previous, ...one }) => ({
      name: one.name,
      kind: one.kind,
      image: one.image,
      behaviour: one.behaviour,
      ready: one.ready,
      current,
      previous,
      waiting: waitingReason(step.is === 'waiting' ? step.reason : undefined, step.is),
    })),
  };
}

function waitingReason(reason: string | undefined, step: string): string | undefined {
  if (reason !== undefined) return reason;
  return step === 'running' || step === 'stopping' || step === 'ended' || step === 'exited'
    ? undefined
    : 'ContainerCreating';
}
