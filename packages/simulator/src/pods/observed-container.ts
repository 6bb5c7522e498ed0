/** The state of a container: from its node, or from the status of the pod if no node runs it. */

import type { ContainerInstance, RunningContainer, RunningPods } from '../nodes/running-pod.ts';
import { type Container, type ContainerStateTerminated, type ContainerStatus, containersOf, type Pod } from './pod.ts';

export interface ObservedContainer
  extends Pick<RunningContainer, 'name' | 'image' | 'current' | 'previous' | 'waiting'> {
  /** Lines per second, if the pod sets it. */
  logRate: number | undefined;
}

/** The access to pods on nodes that is needed here. */
export interface RunningPodSource extends Pick<RunningPods, 'running' | 'observe'> {
  /** A program ends by itself, such as the shell of an attached client. */
  end(uid: string, container: string, exitCode: number): void;
}

/** In the order of the spec. */
export function observedContainers(pod: Pod, nodes: RunningPodSource | undefined): ObservedContainer[] {
  const running = nodes?.running(pod.metadata.uid ?? '');
  if (running) {
    return running.containers.map(({ behaviour, ...container }) => ({ ...container, logRate: behaviour.logRate }));
  }
  const { status = {} } = pod;
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const byName = new Map(statuses.map((one) => [one.name, one]));
  return containersOf(pod).flatMap((spec) => {
    const found = byName.get(spec.name);
    return found ? [stateOf(spec, found)] : [];
  });
}

export const observedContainer = (
  pod: Pod,
  name: string,
  nodes: RunningPodSource | undefined,
): ObservedContainer | undefined => observedContainers(pod, nodes).find((one) => one.name === name);

export const isRunning = ({ current }: ObservedContainer): boolean =>
  current !== undefined && current.end === undefined;

function stateOf({ name, image = '' }: Container, status: ContainerStatus): ObservedContainer {
  const { state = {}, lastState = {}, restartCount: attempt = 0 } = status;
  const before = ended(lastState.terminated, attempt - 1);
  const current = state.running
    ? { id: status.containerID ?? '', attempt, startedAt: millisOf(state.running.startedAt) }
    : // While it waits for the next start, logs are those of the last instance.
      (ended(state.terminated, attempt) ?? before);
  return { name, image, current, previous: before, waiting: state.waiting?.reason, logRate: undefined };
}

const ended = (terminated: ContainerStateTerminated | undefined, attempt: number): ContainerInstance | undefined =>
  terminated && {
    id: terminated.containerID ?? '',
    attempt: Math.max(attempt, 0),
    startedAt: millisOf(terminated.startedAt),
    end: {
      at: millisOf(terminated.finishedAt),
      exitCode: terminated.exitCode,
      reason: terminated.reason ?? 'Error',
    },
  };

/** A missing time counts as the oldest possible. */
const millisOf = (time: string | null | undefined): number => (time ? Date.parse(time) : 0);
