/** A pod's state as others read it. */

import type { Instance, PodState } from './pod-state.ts';
import type { ContainerInstance, RunningPod } from './running-pod.ts';

const instance = (one: Instance | undefined): ContainerInstance | undefined => one && { ...one };

export function snapshot(key: string, { uid, node, ip, containers }: PodState): RunningPod {
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
      current: instance(current),
      previous: instance(previous),
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
