/**
 * The life of a pod on its node, as a kubelet leads it: network, init containers one after the other, main containers, restarts,
 * the end. Without clock, timers or API: it is told the time, and returns when it wants to be called again.
 */

import type { Container, Pod } from '../pod.ts';
import { behaviourOf, settingsText } from './behaviour.ts';
import {
  beginStart,
  beginStop,
  endPull,
  endPullWait,
  exit,
  newContainer,
  restart,
  revise,
  start,
} from './container-life.ts';
import { eventTexts } from './kubelet-texts.ts';
import type { Moment, NodeRuntime, PodEvent } from './node-runtime.ts';
import { type ContainerState, hasEnded, isRunning, type PodState } from './pod-state.ts';
import { runProbes } from './probes.ts';
import type { ContainerKind } from './running-pod.ts';

/** Until the network of a pod is there and its volumes are mounted. */
const networkSeconds = 0.6;

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

export function* containersOf({ spec }: Pod): Generator<[Container, ContainerKind]> {
  for (const one of spec.initContainers ?? []) yield [one, isSidecar(one) ? 'sidecar' : 'init'];
  for (const one of spec.containers) yield [one, 'main'];
  for (const one of spec.ephemeralContainers ?? []) yield [one, 'ephemeral'];
}

export function newPodState(pod: Pod, now: number, runtime: Pick<NodeRuntime, 'millis'>): PodState {
  return {
    uid: pod.metadata.uid ?? '',
    node: pod.spec.nodeName ?? '',
    settings: settingsText(pod.metadata.annotations),
    networkAt: now + runtime.millis(networkSeconds, 1),
    ip: undefined,
    startTime: now,
    containers: Array.from(containersOf(pod), ([one, kind]) => newContainer(one, kind, pod)),
    stopping: undefined,
  };
}

export interface Advanced {
  events: PodEvent[];
  /** When to call again; undefined: only when the pod changes. */
  due: number | undefined;
}

/** Brings `state` to `now`. `allocateIp` is called once, when the pod's network is made. */
export function advance(
  pod: Pod,
  state: PodState,
  now: number,
  runtime: NodeRuntime,
  allocateIp: () => string,
): Advanced {
  const events: PodEvent[] = [];
  const moment: Moment = { now, runtime, record: (text, container) => events.push({ ...text, container }) };
  const specs = new Map(Array.from(containersOf(pod), ([one, kind]) => [one.name, { one, kind }]));
  // kubectl debug adds ephemeral containers while the pod runs.
  for (const { one, kind } of specs.values()) {
    if (!state.containers.some(({ name }) => name === one.name)) state.containers.push(newContainer(one, kind, pod));
  }
  const settings = settingsText(pod.metadata.annotations);
  if (settings !== state.settings) {
    state.settings = settings;
    for (const one of state.containers) {
      const spec = specs.get(one.name)?.one;
      if (spec) revise(one, behaviourOf(spec, one.kind, pod), moment);
    }
  }
  stopIfAsked(pod, state, moment);
  if (!state.ip && !state.stopping && now >= state.networkAt) state.ip = allocateIp();
  // What one container does lets another begin.
  for (let before = ''; before !== steps(state); ) {
    before = steps(state);
    for (const container of state.containers) {
      const spec = specs.get(container.name)?.one;
      if (spec) advanceContainer(pod, state, container, spec, moment);
    }
    stopRest(pod, state, specs, moment);
  }
  return { events, due: dueOf(pod, state, runtime) };
}

const steps = ({ containers }: PodState): string =>
  containers.map(({ step, started }) => `${step.is}${started}`).join();

function advanceContainer(pod: Pod, state: PodState, one: ContainerState, spec: Container, moment: Moment): void {
  const { step } = one;
  const { now } = moment;
  switch (step.is) {
    case 'idle':
      if (state.stopping) one.step = { is: 'ended' };
      else if (mayStart(state, one)) beginStart(one, spec, moment);
      return;
    case 'pulling':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) endPull(one, step.since, moment);
      return;
    case 'waiting':
      if (state.stopping) one.step = { is: 'ended' };
      else if (takeImage(pod, one, spec)) beginStart(one, spec, moment);
      else if (step.until === undefined || now < step.until) return;
      else if (step.isPull) endPullWait(one, spec, moment);
      else restart(one, spec, pod, moment);
      return;
    case 'creating':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) start(one, spec, moment);
      return;
    case 'running':
      advanceRunning(pod, state, one, spec, moment);
      return;
    case 'stopping': {
      const until = state.stopping ? Math.min(step.until, state.stopping.by) : step.until;
      if (now < until) return;
      const restarts = !state.stopping && (shouldRestart(pod, one, spec, step.exitCode) || one.image !== spec.image);
      exit(one, step.exitCode, step.exitCode === 0 ? 'Completed' : 'Error', restarts, moment);
      return;
    }
    case 'exited':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) {
        takeImage(pod, one, spec);
        restart(one, spec, pod, moment);
      }
      return;
    case 'ended':
      return;
    default:
      step satisfies never;
  }
}

function advanceRunning(pod: Pod, state: PodState, one: ContainerState, spec: Container, moment: Moment): void {
  const { now, runtime } = moment;
  const { step } = one;
  if (step.is !== 'running') return;
  const grace = runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30);
  if (step.until !== undefined && now >= step.until) {
    const { exitCode, reason } = one.behaviour.run;
    exit(one, exitCode, reason, !state.stopping && shouldRestart(pod, one, spec, exitCode), moment);
    return;
  }
  if (spec.image !== undefined && spec.image !== one.image && !state.stopping) {
    moment.record(eventTexts.definitionChanged(one.name), one.name);
    one.backOff = 0;
    beginStop(one, spec, now + grace, moment);
    return;
  }
  const failed = runProbes(one, spec, state.ip ?? '', moment);
  if (!failed) return;
  moment.record(eventTexts.probeKills(one.name, failed, shouldRestart(pod, one, spec, 1)), one.name);
  beginStop(one, spec, now + grace, moment);
}

/** Whether the spec names another image than the one that was tried. */
function takeImage(pod: Pod, one: ContainerState, spec: Container): boolean {
  if (spec.image === undefined || spec.image === one.image) return false;
  one.image = spec.image;
  one.behaviour = behaviourOf(spec, one.kind, pod);
  one.backOff = 0;
  one.pullBackOff = 0;
  return true;
}

/** `pkg/api/v1/pod/util.go`, ContainerShouldRestart. */
export function shouldRestart(pod: Pod, { kind }: ContainerState, spec: Container, exitCode: number): boolean {
  if (kind === 'sidecar') return true;
  if (kind === 'ephemeral') return false;
  const policy = spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  if (policy === 'Never') return false;
  return exitCode !== 0 || (policy === 'Always' && kind === 'main');
}

const isInitialized = (one: ContainerState): boolean =>
  one.kind === 'sidecar' ? one.started : hasEnded(one) && one.current?.end?.exitCode === 0;

const isStarting = ({ step }: ContainerState): boolean =>
  step.is === 'idle' || step.is === 'pulling' || step.is === 'creating';

/** Init containers and sidecars in order; then main containers, the next one when the one before was started or could not be. */
function mayStart(state: PodState, one: ContainerState): boolean {
  if (!state.ip) return false;
  if (one.kind === 'ephemeral') return true;
  const before = state.containers.slice(0, state.containers.indexOf(one));
  const hasRun = state.containers.some(({ kind, current }) => kind === 'main' && current);
  return before.every((other) => (other.kind === 'main' ? !isStarting(other) : hasRun || isInitialized(other)));
}

/** A deletion, or the end of the pod's time. */
function stopIfAsked(pod: Pod, state: PodState, moment: Moment): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const { now, runtime } = moment;
  if (deletionTimestamp !== undefined) {
    const by = now + runtime.millis(deletionGracePeriodSeconds ?? 30);
    // Deleted once more, with less grace.
    if (state.stopping) state.stopping.by = Math.min(state.stopping.by, by);
    else stopPod(pod, state, by, moment);
    return;
  }
  const deadline = pod.spec.activeDeadlineSeconds;
  if (deadline === undefined || state.stopping || state.containers.every(hasEnded)) return;
  if (now < state.startTime + runtime.millis(deadline)) return;
  const { reason, message, ...text } = eventTexts.deadlineExceeded();
  moment.record({ ...text, reason, message });
  stopPod(pod, state, now + runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30), moment);
  if (state.stopping) Object.assign(state.stopping, { reason, message });
}

function stopPod(pod: Pod, state: PodState, by: number, moment: Moment): void {
  state.stopping = { by };
  for (const [spec, kind] of containersOf(pod)) {
    const one = state.containers.find(({ name }) => name === spec.name);
    if (one?.step.is !== 'running' || kind === 'sidecar') continue;
    moment.record(eventTexts.stopping(one.name), one.name);
    beginStop(one, spec, by, moment);
  }
}

/** Sidecars end when the others have, and with a pod whose initialization has failed for good. */
function stopRest(pod: Pod, state: PodState, specs: ReadonlyMap<string, { one: Container }>, moment: Moment): void {
  const hasFailed = state.containers.some(
    (one) => one.kind === 'init' && hasEnded(one) && one.current?.end?.exitCode !== 0,
  );
  const isOver = state.containers.every((one) => one.kind !== 'main' || hasEnded(one));
  if (!hasFailed && !isOver) return;
  const by = state.stopping?.by ?? moment.now + moment.runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30);
  for (const one of state.containers) {
    const spec = specs.get(one.name)?.one;
    if (!spec || hasEnded(one) || one.kind === 'init') continue;
    if (one.step.is === 'running') {
      moment.record(eventTexts.stopping(one.name), one.name);
      beginStop(one, spec, by, moment);
      // It is not restarted afterwards.
      state.stopping ??= { by };
    } else if (!isRunning(one)) one.step = { is: 'ended' };
  }
}

function dueOf(pod: Pod, state: PodState, runtime: NodeRuntime): number | undefined {
  let due = Number.POSITIVE_INFINITY;
  if (!state.ip && !state.stopping) due = state.networkAt;
  for (const { step, probes } of state.containers) {
    if ('until' in step && step.until !== undefined) due = Math.min(due, step.until);
    for (const { nextAt } of probes ?? []) due = Math.min(due, nextAt ?? due);
  }
  const deadline = pod.spec.activeDeadlineSeconds;
  const isOver = state.stopping !== undefined || state.containers.every(hasEnded);
  if (deadline !== undefined && !isOver) due = Math.min(due, state.startTime + runtime.millis(deadline));
  return Number.isFinite(due) ? due : undefined;
}
