/** Derives the behaviour of a simulated container from its pod's annotations and its command. */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { type Container, containerCount, type Pod, type PodSpec } from '../pods/pod.ts';
import { environmentOf } from '../shell/environment.ts';
import { couldHold, isShellImage } from '../shell/files.ts';
import { containerFiles } from '../shell/programs.ts';
import { commandRun, fileChanges, scriptOf } from './command-run.ts';
import { endsWith } from './program-run.ts';
import type { ContainerKind } from './running-pod.ts';
import type { FileChange, ScriptWorld } from './script-world.ts';

/** How long a container runs, and how it ends. */
export interface Run {
  /** Undefined if it runs until it is stopped. */
  readonly seconds: number | undefined;
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled' | 'StartError';
}

export type ProbeName = 'readiness' | 'liveness' | 'startup';

export interface Behaviour {
  readonly run: Run;
  /** Its image cannot be pulled. */
  readonly pullFails: boolean;
  /** Undefined for the usual duration. */
  readonly pullSeconds: number | undefined;
  /** Between the image and the start: the container is being created. */
  readonly startSeconds: number;
  /** For how long after the start its probes fail. */
  readonly warmUpSeconds: number;
  readonly failingProbes: readonly ProbeName[];
  /** From how many seconds after the start probes fail. */
  readonly failProbesAfterSeconds: number;
  /** Files that its command creates and removes, which commands of probes may check. */
  readonly files: readonly FileChange[];
  /** From SIGTERM to its end. */
  readonly stopSeconds: number;
  /** Lines per second; undefined for the default. */
  readonly logRate: number | undefined;
}

export const annotationPrefix = 'simulator.fleet.karmada.io/';

/** An annotation: for the pod's main containers, or, with the suffix `.NAME`, for that container alone, of any kind. */
export type Setting = (name: string) => string | undefined;

export function settingsOf(
  annotations: Readonly<Record<string, string>> | undefined,
  container: string,
  kind: ContainerKind,
): Setting | undefined {
  if (!annotations) return undefined;
  if (!hasSettings(annotations)) return undefined;
  return (name) =>
    annotations[`${annotationPrefix}${name}.${container}`] ??
    (kind === 'main' ? annotations[`${annotationPrefix}${name}`] : undefined);
}

/** Cached by annotations, as a pod may have thousands of containers. */
const withSettings = new WeakMap<Readonly<Record<string, string>>, boolean>();

function hasSettings(annotations: Readonly<Record<string, string>>): boolean {
  let has = withSettings.get(annotations);
  if (has === undefined) {
    has = Object.keys(annotations).some((key) => key.startsWith(annotationPrefix));
    withSettings.set(annotations, has);
  }
  return has;
}

/** All settings of a pod as one text, to detect changes. Empty for most pods. */
export function settingsText(annotations: Readonly<Record<string, string>> | undefined): string {
  const set = Object.entries(annotations ?? {}).filter(([key]) => key.startsWith(annotationPrefix));
  return set.length === 0 ? '' : JSON.stringify(set.sort());
}

/** An invalid duration counts as not set, as there is nowhere to report it. */
function seconds(text: string | undefined): number | undefined {
  const nanos = text === undefined ? undefined : parseGoDuration(text);
  return nanos === undefined || nanos < 0n ? undefined : Number(nanos) / 1e9;
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const untilStopped: Run = { seconds: undefined, exitCode: 0, reason: 'Completed' };
const outOfMemory = 137;
/** Seconds that an unknown program runs that is expected to end. */
const usualWork = 2;

/** The command that its image starts, if known, for a container without a command. */
function commandOf({ image = '', command = [], args = [] }: Container): string[] {
  const named = [...command, ...args];
  return named.length === 0 && isShellImage(image) ? ['sh'] : named;
}

/** Whether its script may check files that exist at its start, or create files that others check. */
export const usesFiles = (container: Container): boolean => scriptOf(commandOf(container))?.includes('/') ?? false;

/** How long the container runs, and its exit code. Annotations take precedence over the command. */
export function runOf(
  container: Container,
  kind: ContainerKind,
  spec: Pick<PodSpec, 'restartPolicy'>,
  setting: Setting | undefined,
  world?: ScriptWorld,
): Run {
  const oom = seconds(setting?.('oom-after'));
  if (oom !== undefined) return { seconds: oom, exitCode: outOfMemory, reason: 'OOMKilled' };
  const crash = seconds(setting?.('crash-after'));
  if (crash !== undefined) return endsWith(whole(setting?.('exit-code')) ?? 1, crash);
  const runs = seconds(setting?.('run-for'));
  if (runs !== undefined) return endsWith(whole(setting?.('exit-code')) ?? 0, runs);
  const command = commandOf(container);
  const known = commandRun(command, container.stdin === true, world);
  if (known) return known;
  if (kind === 'init') return endsWith(0, usualWork / 2);
  const isToEnd = kind === 'main' && (spec.restartPolicy === 'Never' || spec.restartPolicy === 'OnFailure');
  // A pod that is not restarted and has a command, as those of Jobs do: that command is expected to end.
  return isToEnd && container.command && command.length > 0 ? endsWith(0, usualWork) : untilStopped;
}

/** Few scripts need variables or files of the image, so these are created on first access. */
function worldOf(container: Container, pod: Pod, files: ScriptWorld['files']): ScriptWorld {
  let variables: ReadonlyMap<string, string> | undefined;
  return {
    lookup(name) {
      variables ??= environmentOf(pod, container, false);
      return variables.get(name);
    },
    files,
    directory: container.workingDir || '/',
    base: () => containerFiles(pod, container),
    couldHold: couldHold(container),
    sharers: containerCount(pod),
  };
}

/** Images that can never be pulled, annotated or not. */
const isMissing = (image = ''): boolean =>
  image.includes('does-not-exist') || image.includes('non-existent') || image.endsWith(':404');

const usual: Behaviour = {
  run: untilStopped,
  pullFails: false,
  pullSeconds: undefined,
  startSeconds: 0,
  warmUpSeconds: 0,
  failingProbes: [],
  failProbesAfterSeconds: 0,
  files: [],
  stopSeconds: 1,
  logRate: undefined,
};

const probeNames: readonly ProbeName[] = ['readiness', 'liveness', 'startup'];

export function behaviourOf(
  container: Container,
  kind: ContainerKind,
  pod: Pod,
  made: ScriptWorld['files'] = new Set<string>(),
): Behaviour {
  const setting = settingsOf(pod.metadata.annotations, container.name, kind);
  const world = worldOf(container, pod, made);
  // Computed before the run, which keeps the files that it creates.
  const changed = fileChanges(commandOf(container), world);
  const run = runOf(container, kind, pod.spec, setting, world);
  const pullFails = setting?.('pull-error') === 'true' || isMissing(container.image);
  const files = changed.length > 0 ? changed : usual.files;
  // Most pods share one value, as there may be hundreds of thousands of pods in the process.
  if (!setting) {
    const isUsual = run === untilStopped && !pullFails && files === usual.files;
    return isUsual ? usual : { ...usual, run, pullFails, files };
  }
  const failing = setting('fail-probes')?.split(',') ?? [];
  return {
    run,
    pullFails,
    pullSeconds: seconds(setting('pull-time')),
    startSeconds: seconds(setting('start-time')) ?? 0,
    warmUpSeconds: seconds(setting('warm-up')) ?? 0,
    failingProbes: probeNames.filter((name) => failing.includes(name)),
    failProbesAfterSeconds: seconds(setting('fail-probes-after')) ?? 0,
    files,
    stopSeconds: seconds(setting('stop-time')) ?? usual.stopSeconds,
    logRate: positive(setting('log-rate')),
  };
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
