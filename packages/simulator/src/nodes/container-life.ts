/** The lifecycle of one container: pulling its image, starting, ending, and the backoff before a restart. */

import type { Container, Pod } from '../pods/pod.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { imageBytes, imageReference, invalidImageText, keepImage } from './image.ts';
import { eventTexts, notFoundText, podText, waitingTexts } from './kubelet-texts.ts';
import type { SyncContext } from './node-runtime.ts';
import type { ContainerRecord } from './pod-record.ts';
import { beginProbes } from './probes.ts';
import type { ContainerKind } from './running-pod.ts';

/** `pkg/kubelet/kubelet.go`: initialCrashLoopBackOff, MaxCrashLoopBackOff, imageBackOffPeriod, MaxImageBackOff. */
const firstBackOff = 10;
const longestBackOff = 300;
/** After a run this long the backoff is reset. */
const forgivenSeconds = 600;
/** From an end, or a failure, to the kubelet's next sync of the pod. */
const nextSyncSeconds = 1;
/** The interval at which the kubelet syncs each pod, approximately. */
const configRetrySeconds = 12;

const doubled = (seconds: number): number => (seconds === 0 ? firstBackOff : Math.min(seconds * 2, longestBackOff));

/** Go's format of whole seconds: `10s`, `2m40s`, `5m0s`. */
const goSeconds = (seconds: number): string =>
  seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;

/** Go's format of milliseconds: `512ms`, `1.2s`. */
const goMillis = (millis: number): string =>
  millis < 1000 ? `${Math.floor(millis)}ms` : `${Math.floor(millis) / 1000}s`;

export function newContainer(container: Container, kind: ContainerKind, pod: Pod): ContainerRecord {
  return {
    name: container.name,
    kind,
    image: container.image ?? '',
    behaviour: behaviourOf(container, kind, pod),
    step: { is: 'idle' },
    current: undefined,
    previous: undefined,
    started: false,
    ready: false,
    probes: undefined,
    backOff: 0,
    pullBackOff: 0,
  };
}

/** The pod's annotations have changed: running containers change their behaviour. */
export function revise(state: ContainerRecord, behaviour: Behaviour, sync: SyncContext): void {
  const { now, runtime } = sync;
  state.behaviour = behaviour;
  if (state.step.is !== 'running' || !state.current) return;
  const { seconds } = behaviour.run;
  const end = seconds === undefined ? undefined : state.current.startedAt + runtime.millis(seconds);
  state.step = { is: 'running', until: end };
  for (const probe of state.probes ?? []) {
    if (probe.name === 'startup' ? !state.started : state.started) probe.nextAt ??= now + runtime.millis(1);
  }
}

/** Starts with the image, also before each restart. */
export function beginStart(state: ContainerRecord, container: Container, sync: SyncContext): void {
  const { now, runtime } = sync;
  const { image, behaviour } = state;
  const reference = imageReference(image);
  if (reference === undefined) {
    const error = invalidImageText(image);
    const text = eventTexts.invalidImage(image, error);
    sync.record(text, state.name);
    sync.record(eventTexts.notCreated('InvalidImageName'), state.name);
    hold(state, 'InvalidImageName', text.message);
    return;
  }
  const isPresent = runtime.images.has(reference) || container.imagePullPolicy === 'Never';
  if (behaviour.pullFails && container.imagePullPolicy === 'Never') {
    const text = eventTexts.neverPulled(image);
    sync.record(text, state.name);
    sync.record(eventTexts.notCreated('ErrImageNeverPull'), state.name);
    hold(state, 'ErrImageNeverPull', text.message);
    return;
  }
  if (isPresent && !behaviour.pullFails && container.imagePullPolicy !== 'Always') {
    sync.record(eventTexts.present(image), state.name);
    create(state, sync);
    return;
  }
  sync.record(eventTexts.pulling(image), state.name);
  // An image on the node is only looked up.
  const usual = isPresent || behaviour.pullFails ? 0.4 : 0.5 + imageBytes(reference) / 60_000_000;
  const until = now + runtime.millis(behaviour.pullSeconds ?? usual, 0.5);
  state.step = { is: 'pulling', since: now, until };
}

/** Only another image changes this state. */
function hold(state: ContainerRecord, reason: string, message: string): void {
  state.step = { is: 'waiting', reason, message, until: undefined, for: 'image' };
}

export function endPull(state: ContainerRecord, since: number, sync: SyncContext): void {
  const { now, runtime } = sync;
  const { image } = state;
  const reference = imageReference(image)!;
  if (state.behaviour.pullFails) {
    const message = notFoundText(reference);
    sync.record(eventTexts.pullFailed(image, message), state.name);
    sync.record(eventTexts.notCreated('ErrImagePull'), state.name);
    const until = now + runtime.millis(nextSyncSeconds);
    state.step = { is: 'waiting', reason: 'ErrImagePull', message, until, for: 'image' };
    return;
  }
  keepImage(runtime.images, reference);
  state.pullBackOff = 0;
  const took = goMillis(now - since);
  sync.record(eventTexts.pulled(image, took, took, imageBytes(reference)), state.name);
  create(state, sync);
}

/** From the error to the backoff, and from that to the next attempt. */
export function endPullWait(state: ContainerRecord, container: Container, sync: SyncContext): void {
  const { step, image } = state;
  if (step.is !== 'waiting') return;
  if (step.reason === 'ImagePullBackOff') {
    beginStart(state, container, sync);
    return;
  }
  state.pullBackOff = doubled(state.pullBackOff);
  sync.record(eventTexts.pullBackOff(image), state.name);
  sync.record(eventTexts.notCreated('ImagePullBackOff'), state.name);
  const message = waitingTexts.pullBackOff(image, step.message);
  const until = sync.now + sync.runtime.millis(state.pullBackOff);
  state.step = { is: 'waiting', reason: 'ImagePullBackOff', message, until, for: 'image' };
}

function create(state: ContainerRecord, sync: SyncContext): void {
  const { now, runtime, missing } = sync;
  const message = missing?.containers.get(state.name);
  if (message !== undefined) {
    sync.record(eventTexts.notCreated(message), state.name);
    const until = now + runtime.millis(configRetrySeconds);
    state.step = { is: 'waiting', reason: 'CreateContainerConfigError', message, until, for: 'config' };
    return;
  }
  state.step = { is: 'creating', until: now + runtime.millis(state.behaviour.startSeconds) };
}

export function start(state: ContainerRecord, container: Container, sync: SyncContext): void {
  const { now, runtime } = sync;
  sync.record(eventTexts.created(), state.name);
  sync.record(eventTexts.started(), state.name);
  state.previous = state.current;
  state.current = {
    id: `containerd://${runtime.newContainerId()}`,
    attempt: state.current ? state.current.attempt + 1 : 0,
    startedAt: now,
  };
  const { seconds } = state.behaviour.run;
  state.step = { is: 'running', until: seconds === undefined ? undefined : now + runtime.millis(seconds) };
  beginProbes(state, container, sync);
}

/** The container has ended. */
export function exit(
  state: ContainerRecord,
  exitCode: number,
  reason: string,
  restarts: boolean,
  sync: SyncContext,
): void {
  const { now, runtime } = sync;
  if (state.current) state.current = { ...state.current, end: { at: now, exitCode, reason } };
  state.started = false;
  // An init container that has completed stays ready.
  state.ready = state.kind === 'init' && exitCode === 0;
  state.probes = undefined;
  state.step = restarts ? { is: 'exited', until: now + runtime.millis(nextSyncSeconds, 0.5) } : { is: 'ended' };
}

/** Restarts it immediately the first time, and with an exponential backoff afterwards. */
export function restart(state: ContainerRecord, container: Container, pod: Pod, sync: SyncContext): void {
  const { now, runtime } = sync;
  const { current } = state;
  const end = current?.end;
  if (current && end && end.at - current.startedAt >= runtime.millis(forgivenSeconds)) state.backOff = 0;
  const until = (end?.at ?? now) + runtime.millis(state.backOff);
  if (state.backOff > 0 && until > now) {
    const text = podText(pod.metadata.name, pod.metadata.namespace ?? '', pod.metadata.uid ?? '');
    sync.record(eventTexts.restartBackOff(state.name, text), state.name);
    const message = waitingTexts.restartBackOff(goSeconds(state.backOff), state.name, text);
    state.step = { is: 'waiting', reason: 'CrashLoopBackOff', message, until, for: 'restart' };
    return;
  }
  state.backOff = doubled(state.backOff);
  beginStart(state, container, sync);
}

/** SIGTERM now, SIGKILL at `by`. */
export function beginStop(state: ContainerRecord, container: Container, by: number, sync: SyncContext): void {
  const hook = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const until = sync.now + sync.runtime.millis(state.behaviour.stopSeconds + hook);
  const killed = 137;
  state.probes = undefined;
  state.step = until > by ? { is: 'stopping', until: by, exitCode: killed } : { is: 'stopping', until, exitCode: 0 };
}
