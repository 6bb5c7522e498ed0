/**
 * The lifecycle of a pod on its node, as in a kubelet: network, init containers one after the other, main containers, restarts,
 * the end. It has no clock, timers or API: the time is an argument, and it returns when to call it again.
 */

import type { Container, Pod } from '../pods/pod.ts';
import { behaviourOf, settingsText, usesFiles } from './behaviour.ts';
import { containersWithKind } from './container-kinds.ts';
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
import type { NodeRuntime, PodEvent, SyncContext } from './node-runtime.ts';
import { type ContainerRecord, hasEnded, type PodRecord, recordsByName } from './pod-record.ts';
import { type Specs, stopIfAsked, stopRest } from './pod-stop.ts';
import { runProbes } from './probes.ts';
import type { Missing } from './references.ts';
import { scriptFiles } from './script-files.ts';

/** Until a pod has its network and its volumes are mounted. */
const networkSeconds = 0.6;

export function newPodRecord(pod: Pod, now: number, runtime: Pick<NodeRuntime, 'millis'>): PodRecord {
  return {
    uid: pod.metadata.uid ?? '',
    node: pod.spec.nodeName ?? '',
    settings: settingsText(pod.metadata.annotations),
    networkAt: now + runtime.millis(networkSeconds, 1),
    mountBackOff: 0,
    ip: undefined,
    startTime: now,
    containers: Array.from(containersWithKind(pod), ([one, kind]) => newContainer(one, kind, pod)),
    files: undefined,
    stopping: undefined,
  };
}

export interface Advanced {
  events: PodEvent[];
  /** When to call again; undefined if only a change of the pod matters. */
  due: number | undefined;
}

/** Advances `state` to `now`. `allocateIp` is called once, when the pod gets its network. */
export function advance(
  pod: Pod,
  state: PodRecord,
  now: number,
  runtime: NodeRuntime,
  allocateIp: () => string,
  missing?: Missing,
): Advanced {
  const events: PodEvent[] = [];
  const sync: SyncContext = { now, runtime, missing, record: (text, container) => events.push({ ...text, container }) };
  const specs = new Map(Array.from(containersWithKind(pod), ([one, kind]) => [one.name, { one, kind }]));
  // kubectl debug adds ephemeral containers while the pod runs.
  const known = recordsByName(state);
  for (const { one, kind } of specs.values()) {
    if (!known.has(one.name)) state.containers.push(newContainer(one, kind, pod));
  }
  const settings = settingsText(pod.metadata.annotations);
  if (settings !== state.settings) {
    state.settings = settings;
    for (const one of state.containers) {
      const spec = specs.get(one.name)?.one;
      if (spec) revise(one, behaviourOf(spec, one.kind, pod), sync);
    }
  }
  stopIfAsked(pod, state, sync);
  if (!state.ip && !state.stopping && now >= state.networkAt && areMounted(state, sync)) state.ip = allocateIp();
  // A container's change may let an earlier one start, or end the others.
  for (let before = ''; before !== steps(state); ) {
    before = steps(state);
    advanceAll(pod, state, specs, sync);
    stopRest(pod, state, specs, sync);
  }
  return { events, due: dueOf(pod, state, runtime) };
}

/** `pkg/util/goroutinemap/exponentialbackoff`. */
const firstMountBackOff = 0.5;
const longestMountBackOff = 122;

/** A volume without its content keeps the pod from starting. */
function areMounted(state: PodRecord, { now, runtime, missing, record }: SyncContext): boolean {
  if (!missing || missing.volumes.size === 0) return true;
  for (const [volume, message] of missing.volumes) record(eventTexts.notMounted(volume, message));
  state.mountBackOff = Math.min(state.mountBackOff * 2 || firstMountBackOff, longestMountBackOff);
  state.networkAt = now + runtime.millis(state.mountBackOff);
  return false;
}

const stepOf = ({ step, started }: ContainerRecord): string => `${step.is}${started}`;

const steps = ({ containers }: PodRecord): string => containers.map(stepOf).join();

/**
 * Advances each container as far as possible, then the next, which may depend on it: a pod may have thousands. Init containers and
 * sidecars start in order; then main containers, each after the previous one was started or could not be.
 */
function advanceAll(pod: Pod, state: PodRecord, specs: Specs, sync: SyncContext): void {
  let hasRun = state.containers.some(isRunMain);
  let nextCanStart = state.ip !== undefined;
  for (const one of state.containers) {
    const spec = specs.get(one.name)?.one;
    const canStart = one.kind === 'ephemeral' ? state.ip !== undefined : nextCanStart;
    for (let before = ''; spec && before !== stepOf(one); ) {
      before = stepOf(one);
      advanceContainer(pod, state, one, spec, canStart, sync);
    }
    hasRun ||= isRunMain(one);
    nextCanStart &&= one.kind === 'main' ? !isStarting(one) : hasRun || isInitialized(one);
  }
}

const isRunMain = ({ kind, current }: ContainerRecord): boolean => kind === 'main' && current !== undefined;

function advanceContainer(
  pod: Pod,
  state: PodRecord,
  one: ContainerRecord,
  spec: Container,
  canStart: boolean,
  sync: SyncContext,
): void {
  const { step } = one;
  const { now } = sync;
  switch (step.is) {
    case 'idle':
      if (state.stopping) one.step = { is: 'ended' };
      else if (canStart) beginStart(one, spec, sync);
      return;
    case 'pulling':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) endPull(one, step.since, sync);
      return;
    case 'waiting':
      if (state.stopping) one.step = { is: 'ended' };
      else if (takeImage(pod, one, spec)) beginStart(one, spec, sync);
      else if (step.until === undefined || now < step.until) return;
      else if (step.for === 'image') endPullWait(one, spec, sync);
      else if (step.for === 'config') beginStart(one, spec, sync);
      else restart(one, spec, pod, sync);
      return;
    case 'creating':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) {
        takeFiles(pod, state, one, spec, sync);
        start(one, spec, sync);
      }
      return;
    case 'running':
      advanceRunning(pod, state, one, spec, sync);
      return;
    case 'stopping': {
      const until = state.stopping ? Math.min(step.until, state.stopping.by) : step.until;
      if (now < until) return;
      const restarts = !state.stopping && (shouldRestart(pod, one, spec, step.exitCode) || one.image !== spec.image);
      exit(one, step.exitCode, step.exitCode === 0 ? 'Completed' : 'Error', restarts, sync);
      return;
    }
    case 'exited':
      if (state.stopping) one.step = { is: 'ended' };
      else if (now >= step.until) {
        takeImage(pod, one, spec);
        restart(one, spec, pod, sync);
      }
      return;
    case 'ended':
      return;
    default:
      step satisfies never;
  }
}

function advanceRunning(pod: Pod, state: PodRecord, one: ContainerRecord, spec: Container, sync: SyncContext): void {
  const { now, runtime } = sync;
  const { step } = one;
  if (step.is !== 'running') return;
  const grace = runtime.millis(pod.spec.terminationGracePeriodSeconds ?? 30);
  if (step.until !== undefined && now >= step.until) {
    const { exitCode, reason } = one.behaviour.run;
    exit(one, exitCode, reason, !state.stopping && shouldRestart(pod, one, spec, exitCode), sync);
    return;
  }
  if (spec.image !== undefined && spec.image !== one.image && !state.stopping) {
    sync.record(eventTexts.definitionChanged(one.name, one.kind !== 'main'), one.name);
    one.backOff = 0;
    beginStop(one, spec, now + grace, sync);
    return;
  }
  const failed = runProbes(one, spec, state.ip ?? '', sync);
  if (!failed) return;
  const text =
    one.kind === 'main'
      ? eventTexts.probeKills(one.name, failed, shouldRestart(pod, one, spec, 1))
      : eventTexts.initProbeKills(one.name, failed);
  sync.record(text, one.name);
  beginStop(one, spec, now + grace, sync);
}

/** The behaviour of its script may depend on files that exist before it starts. */
function takeFiles(pod: Pod, state: PodRecord, one: ContainerRecord, spec: Container, { runtime }: SyncContext): void {
  if (!usesFiles(spec)) return;
  state.files ??= new Set();
  one.behaviour = behaviourOf(spec, one.kind, pod, scriptFiles(pod, spec, state.files, runtime.files));
}

/** Whether the spec has another image than the one that was tried. */
function takeImage(pod: Pod, one: ContainerRecord, spec: Container): boolean {
  if (spec.image === undefined || spec.image === one.image) return false;
  one.image = spec.image;
  one.behaviour = behaviourOf(spec, one.kind, pod);
  one.backOff = 0;
  one.pullBackOff = 0;
  return true;
}

/** `pkg/api/v1/pod/util.go`, ContainerShouldRestart. */
export function shouldRestart(pod: Pod, { kind }: ContainerRecord, spec: Container, exitCode: number): boolean {
  if (kind === 'sidecar') return true;
  if (kind === 'ephemeral') return false;
  const policy = spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  if (policy === 'Never') return false;
  return exitCode !== 0 || (policy === 'Always' && kind === 'main');
}

const isInitialized = (one: ContainerRecord): boolean =>
  one.kind === 'sidecar' ? one.started : hasEnded(one) && one.current?.end?.exitCode === 0;

const isStarting = ({ step }: ContainerRecord): boolean =>
  step.is === 'idle' || step.is === 'pulling' || step.is === 'creating';

function dueOf(pod: Pod, state: PodRecord, runtime: NodeRuntime): number | undefined {
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
