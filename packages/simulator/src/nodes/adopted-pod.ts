/** Restores the record of a pod that ran before this process, from its reported status. */

import type { Container, ContainerStateTerminated, ContainerStatus, Pod } from '../pods/pod.ts';
import { containersWithKind } from './container-kinds.ts';
import { newContainer } from './container-life.ts';
import type { NodeRuntime } from './node-runtime.ts';
import { newPodRecord, shouldRestart } from './pod-life.ts';
import type { ContainerRecord, PodRecord } from './pod-record.ts';
import { beginProbes } from './probes.ts';
import type { ContainerInstance } from './running-pod.ts';

/** A pod without a start time is new. */
export function adoptedPodRecord(pod: Pod, now: number, runtime: NodeRuntime): PodRecord {
  const state = newPodRecord(pod, now, runtime);
  const { status } = pod;
  if (!status?.startTime) return state;
  state.startTime = millisOf(status.startTime, now);
  state.ip = status.podIP;
  if (state.ip) state.networkAt = state.startTime;
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const known = new Map(statuses.map((one) => [one.name, one]));
  state.containers = Array.from(containersWithKind(pod), ([spec, kind]) => {
    const one = newContainer(spec, kind, pod);
    const found = known.get(one.name);
    if (found?.containerID) adopt(pod, spec, one, found, now, runtime);
    if (isOver) one.step = { is: 'ended' };
    return one;
  });
  return state;
}

const millisOf = (text: string | null | undefined, otherwise: number): number => {
  const millis = Date.parse(text ?? '');
  return Number.isNaN(millis) ? otherwise : millis;
};

function adopt(
  pod: Pod,
  spec: Container,
  one: ContainerRecord,
  found: ContainerStatus,
  now: number,
  runtime: NodeRuntime,
): void {
  const { state = {}, lastState = {}, restartCount } = found;
  const running = state.running;
  const ended = state.terminated ?? lastState.terminated;
  const earlier = running || state.terminated ? lastState.terminated : undefined;
  one.previous = earlier && instanceOf(earlier, Math.max(restartCount - 1, 0), now);
  if (running) {
    const startedAt = millisOf(running.startedAt, now);
    one.current = { id: found.containerID ?? '', attempt: restartCount, startedAt };
    const { seconds } = one.behaviour.run;
    one.step = { is: 'running', until: seconds === undefined ? undefined : startedAt + runtime.millis(seconds) };
    // Probes restart. A ready container stays ready until a probe fails, as after a restart of a kubelet.
    beginProbes(one, spec, { now, runtime, record: () => {} });
    one.ready = found.ready;
    return;
  }
  if (!ended) return;
  one.current = instanceOf(ended, restartCount, now);
  one.ready = one.kind === 'init' && ended.exitCode === 0;
  one.step = shouldRestart(pod, one, spec, ended.exitCode) ? { is: 'exited', until: now } : { is: 'ended' };
}

const instanceOf = (ended: ContainerStateTerminated, attempt: number, now: number): ContainerInstance => ({
  id: ended.containerID ?? '',
  attempt,
  startedAt: millisOf(ended.startedAt, now),
  end: { at: millisOf(ended.finishedAt, now), exitCode: ended.exitCode, reason: ended.reason ?? 'Error' },
});
