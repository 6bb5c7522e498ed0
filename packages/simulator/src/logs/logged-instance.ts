/** Finds the container instance whose logs are requested, or throws the kubelet's error. */

import { badRequest, type StatusError } from '@fleet/kube/status.ts';
import type { ContainerInstance } from '../nodes/running-pod.ts';
import { hashOf } from '../noise.ts';
import { type ObservedContainer, observedContainer, type RunningPodSource } from '../pods/observed-container.ts';
import { containersOf, type Pod } from '../pods/pod.ts';
import { InstanceLog } from './instance-log.ts';
import { scriptProgram } from './programs/script.ts';
import { isScripted, programOf } from './programs.ts';

interface Asked {
  container: string;
  previous: boolean;
}

export interface LoggedInstance {
  attempt: number;
  log: InstanceLog;
}

/** Throws the kubelet's error. */
export async function loggedInstance(
  pod: Pod,
  asked: Asked,
  nodes: RunningPodSource | undefined,
  seed: number,
  signal: AbortSignal,
): Promise<LoggedInstance> {
  const state = observedContainer(pod, asked.container, nodes);
  const instance = instanceOf(state, asked, pod);
  return { attempt: instance.attempt, log: await logOf(pod, state!, instance, seed, signal) };
}

/** The same instance later; undefined once it is not known any more. */
export async function sameInstance(
  pod: Pod,
  container: string,
  attempt: number,
  nodes: RunningPodSource | undefined,
  seed: number,
  signal: AbortSignal,
): Promise<InstanceLog | undefined> {
  const state = observedContainer(pod, container, nodes);
  const instance = [state?.current, state?.previous].find((one) => one?.attempt === attempt);
  return instance && logOf(pod, state!, instance, seed, signal);
}

function instanceOf(state: ObservedContainer | undefined, { container, previous }: Asked, pod: Pod): ContainerInstance {
  const name = pod.metadata.name!;
  if (!state) throw badRequest(`container "${container}" in pod "${name}" is not available`);
  if (previous) {
    if (state.previous) return state.previous;
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  if (state.current) return state.current;
  throw waitingError(container, name, state.waiting);
}

function waitingError(container: string, pod: string, reason: string | undefined): StatusError {
  const start = `container "${container}" in pod "${pod}" is waiting to start`;
  switch (reason) {
    case undefined:
      return badRequest(`${start} - no logs yet`);
    case 'ErrImagePull':
      return badRequest(`${start}: image can't be pulled`);
    case 'ImagePullBackOff':
      return badRequest(`${start}: trying and failing to pull image`);
    default:
      return badRequest(`${start}: ${reason}`);
  }
}

async function logOf(
  pod: Pod,
  state: ObservedContainer,
  instance: ContainerInstance,
  seed: number,
  signal: AbortSignal,
): Promise<InstanceLog> {
  const { metadata, status } = pod;
  const spec = containersOf(pod).find(({ name }) => name === state.name);
  const container = {
    pod: metadata.name!,
    namespace: metadata.namespace!,
    ip: status?.podIP ?? '',
    container: state.name,
    image: state.image,
    command: [...(spec?.command ?? []), ...(spec?.args ?? [])],
    instance,
    seed: hashOf(`${seed}/${metadata.uid}/${state.name}/${instance.attempt}`),
  };
  const program =
    spec && isScripted(container)
      ? await scriptProgram({ pod, container: spec, instance }, container.command, signal)
      : programOf(container);
  return new InstanceLog(program, container, state.logRate);
}
