/** The life of one container: its image, its starts, its ends, and how long a restart is held back. */

import type { Container, Pod } from '../pod.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { imageBytes, imageReference, invalidImageText } from './image.ts';
import { eventTexts, notFoundText, podText, waitingTexts } from './kubelet-texts.ts';
import type { Moment } from './node-runtime.ts';
import type { ContainerState } from './pod-state.ts';
import { beginProbes } from './probes.ts';
import type { ContainerKind } from './running-pod.ts';

/** `pkg/kubelet/kubelet.go`: initialCrashLoopBackOff, MaxCrashLoopBackOff, imageBackOffPeriod, MaxImageBackOff. */
const firstBackOff = 10;
const longestBackOff = 300;
/** After so long a run the next end counts as the first. */
const forgivenSeconds = 600;
/** From an end, or a failure, to the kubelet's next look at the pod. */
const nextSyncSeconds = 1;

const doubled = (seconds: number): number => (seconds === 0 ? firstBackOff : Math.min(seconds * 2, longestBackOff));

/** Go's durations of whole seconds: `10s`, `2m40s`, `5m0s`. */
const goSeconds = (seconds: number): string =>
  seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;

/** Go's durations, cut to milliseconds: `512ms`, `1.2s`. */
const goMillis = (millis: number): string =>
  millis < 1000 ? `${Math.floor(millis)}ms` : `${Math.floor(millis) / 1000}s`;

export function newContainer(container: Container, kind: ContainerKind, pod: Pod): ContainerState {
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

/** Somebody has annotated the pod: what runs already does otherwise from now on. */
export function revise(state: ContainerState, behaviour: Behaviour, moment: Moment): void {
  const { now, runtime } = moment;
  state.behaviour = behaviour;
  if (state.step.is !== 'running' || !state.current) return;
  const { seconds } = behaviour.run;
  const end = seconds === undefined ? undefined : state.current.startedAt + runtime.millis(seconds);
  state.step = { is: 'running', until: end };
  for (const probe of state.probes ?? []) {
    if (probe.name === 'startup' ? !state.started : state.started) probe.nextAt ??= now + runtime.millis(1);
  }
}

/** The image comes first, also before each restart. */
export function beginStart(state: ContainerState, container: Container, moment: Moment): void {
  const { now, runtime } = moment;
  const { image, behaviour } = state;
  const reference = imageReference(image);
  if (reference === undefined) {
    const error = invalidImageText(image);
    const text = eventTexts.invalidImage(image, error);
    moment.record(text, state.name);
    moment.record(eventTexts.notCreated('InvalidImageName'), state.name);
    hold(state, 'InvalidImageName', text.message);
    return;
  }
  const isPresent = runtime.images.has(reference) || container.imagePullPolicy === 'Never';
  if (behaviour.pullFails && container.imagePullPolicy === 'Never') {
    const text = eventTexts.neverPulled(image);
    moment.record(text, state.name);
    moment.record(eventTexts.notCreated('ErrImageNeverPull'), state.name);
    hold(state, 'ErrImageNeverPull', text.message);
    return;
  }
  if (isPresent && !behaviour.pullFails && container.imagePullPolicy !== 'Always') {
    moment.record(eventTexts.present(image), state.name);
    create(state, moment);
    return;
  }
  moment.record(eventTexts.pulling(image), state.name);
  // What is there already is only looked up again.
  const usual = isPresent || behaviour.pullFails ? 0.4 : 0.5 + imageBytes(reference) / 60_000_000;
  const until = now + runtime.millis(behaviour.pullSeconds ?? usual, 0.5);
  state.step = { is: 'pulling', since: now, until };
}

/** Nothing but another image changes it. */
function hold(state: ContainerState, reason: string, message: string): void {
  state.step = { is: 'waiting', reason, message, until: undefined, isPull: true };
}

export function endPull(state: ContainerState, since: number, moment: Moment): void {
  const { now, runtime } = moment;
  const { image } = state;
  const reference = imageReference(image)!;
  if (state.behaviour.pullFails) {
    const message = notFoundText(reference);
    moment.record(eventTexts.pullFailed(image, message), state.name);
    moment.record(eventTexts.notCreated('ErrImagePull'), state.name);
    const until = now + runtime.millis(nextSyncSeconds);
    state.step = { is: 'waiting', reason: 'ErrImagePull', message, until, isPull: true };
    return;
  }
  runtime.images.add(reference);
  state.pullBackOff = 0;
  const took = goMillis(now - since);
  moment.record(eventTexts.pulled(image, took, took, imageBytes(reference)), state.name);
  create(state, moment);
}

/** From the error to the back-off, and from that to the next try. */
export function endPullWait(state: ContainerState, container: Container, moment: Moment): void {
  const { step, image } = state;
  if (step.is !== 'waiting') return;
  if (step.reason === 'ImagePullBackOff') {
    beginStart(state, container, moment);
    return;
  }
  state.pullBackOff = doubled(state.pullBackOff);
  moment.record(eventTexts.pullBackOff(image), state.name);
  moment.record(eventTexts.notCreated('ImagePullBackOff'), state.name);
  const message = waitingTexts.pullBackOff(image, step.message);
  const until = moment.now + moment.runtime.millis(state.pullBackOff);
  state.step = { is: 'waiting', reason: 'ImagePullBackOff', message, until, isPull: true };
}

function create(state: ContainerState, { now, runtime }: Moment): void {
  state.step = { is: 'creating', until: now + runtime.millis(state.behaviour.startSeconds) };
}

export function start(state: ContainerState, container: Container, moment: Moment): void {
  const { now, runtime } = moment;
  moment.record(eventTexts.created(), state.name);
  moment.record(eventTexts.started(), state.name);
  state.previous = state.current;
  state.current = {
    id: `containerd://${runtime.newContainerId()}`,
    attempt: state.current ? state.current.attempt + 1 : 0,
    startedAt: now,
  };
  const { seconds } = state.behaviour.run;
  state.step = { is: 'running', until: seconds === undefined ? undefined : now + runtime.millis(seconds) };
  beginProbes(state, container, moment);
}

/** It has ended. */
export function exit(state: ContainerState, exitCode: number, reason: string, restarts: boolean, moment: Moment): void {
  const { now, runtime } = moment;
  if (state.current) state.current.end = { at: now, exitCode, reason };
  state.started = false;
  // An init container that has done its work stays ready.
  state.ready = state.kind === 'init' && exitCode === 0;
  state.probes = undefined;
  state.step = restarts ? { is: 'exited', until: now + runtime.millis(nextSyncSeconds, 0.5) } : { is: 'ended' };
}

/** Restarted at once the first time, held back for longer and longer afterwards. */
export function restart(state: ContainerState, container: Container, pod: Pod, moment: Moment): void {
  const { now, runtime } = moment;
  const { current } = state;
  const end = current?.end;
  if (current && end && end.at - current.startedAt >= runtime.millis(forgivenSeconds)) state.backOff = 0;
  const until = (end?.at ?? now) + runtime.millis(state.backOff);
  if (state.backOff > 0 && until > now) {
    const text = podText(pod.metadata.name, pod.metadata.namespace ?? '', pod.metadata.uid ?? '');
    moment.record(eventTexts.restartBackOff(state.name, text), state.name);
    const message = waitingTexts.restartBackOff(goSeconds(state.backOff), state.name, text);
    state.step = { is: 'waiting', reason: 'CrashLoopBackOff', message, until, isPull: false };
    return;
  }
  state.backOff = doubled(state.backOff);
  beginStart(state, container, moment);
}

/** SIGTERM now, SIGKILL at `by`. */
export function beginStop(state: ContainerState, container: Container, by: number, moment: Moment): void {
  const hook = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const until = moment.now + moment.runtime.millis(state.behaviour.stopSeconds + hook);
  const killed = 137;
  state.probes = undefined;
  state.step = until > by ? { is: 'stopping', until: by, exitCode: killed } : { is: 'stopping', until, exitCode: 0 };
}
