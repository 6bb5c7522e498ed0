/** What a simulated container does, by the annotations of its pod and by its command. */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { type Container, containerCount, type Pod, type PodSpec } from '../pods/pod.ts';
import { environmentOf } from '../shell/environment.ts';
import { isShellImage, mayHold } from '../shell/files.ts';
import { containerFiles } from '../shell/programs.ts';
import { commandRun, fileChanges, scriptOf } from './command-run.ts';
import { endsWith } from './program-run.ts';
import type { ContainerKind } from './running-pod.ts';
import type { FileChange, ScriptWorld } from './script-world.ts';

/** How long a container runs, and how it ends. */
export interface Run {
  /** Undefined: until it is stopped. */
  readonly seconds: number | undefined;
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled' | 'StartError';
}

export type ProbeName = 'readiness' | 'liveness' | 'startup';

export interface Behaviour {
  readonly run: Run;
  /** Its image cannot be pulled. */
  readonly pullFails: boolean;
  /** Undefined: as long as images usually take. */
  readonly pullSeconds: number | undefined;
  /** Between the image and the start: the container is being created. */
  readonly startSeconds: number;
  /** After its start probes fail for so long. */
  readonly warmUpSeconds: number;
  readonly failingProbes: readonly ProbeName[];
  /** They fail from so many seconds after the start on. */
  readonly failProbesAfterSeconds: number;
  /** Files that its command makes and removes: commands of probes may look for them. */
  readonly files: readonly FileChange[];
  /** From SIGTERM to its end. */
  readonly stopSeconds: number;
  /** Lines per second; undefined: whatever logs do by default. */
  readonly logRate: number | undefined;
}

export const annotationPrefix = 'simulator.fleet.karmada.io/';

/** One annotation: for the pod's main containers, or with `.NAME` behind it for that container alone, of whatever kind. */
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

/** Asked for each container of a pod, of which there may be thousands, as of its annotations. */
const withSettings = new WeakMap<Readonly<Record<string, string>>, boolean>();

function hasSettings(annotations: Readonly<Record<string, string>>): boolean {
  let has = withSettings.get(annotations);
  if (has === undefined) {
    has = Object.keys(annotations).some((key) => key.startsWith(annotationPrefix));
    withSettings.set(annotations, has);
  }
  return has;
}

/** All settings of a pod as one text: shows whether any has changed. Empty for most. */
export function settingsText(annotations: Readonly<Record<string, string>> | undefined): string {
  const set = Object.entries(annotations ?? {}).filter(([key]) => key.startsWith(annotationPrefix));
  return set.length === 0 ? '' : JSON.stringify(set.sort());
}

/** What is no duration counts as not set: a simulated cluster has nobody to report it to. */
function seconds(text: string | undefined): number | undefined {
  const nanos = text === undefined ? undefined : parseGoDuration(text);
  return nanos === undefined || nanos < 0n ? undefined : Number(nanos) / 1e9;
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const untilStopped: Run = { seconds: undefined, exitCode: 0, reason: 'Completed' };
const outOfMemory = 137;
/** What a program does that is to end, and of which nothing is known. */
const usualWork = 2;

/** What its image starts, where it is known, if it names nothing. */
function commandOf({ image = '', command = [], args = [] }: Container): string[] {
  const named = [...command, ...args];
  return named.length === 0 && isShellImage(image) ? ['sh'] : named;
}

/** Its script may look at files that are there when it starts, or make some that others look at. */
export const usesFiles = (container: Container): boolean => scriptOf(commandOf(container))?.includes('/') ?? false;

/** How long the container runs, and with which code it ends. Annotations come first, then the command. */
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
  // A pod that is not restarted and names a program, as those of Jobs do: that program ends.
  return isToEnd && container.command && command.length > 0 ? endsWith(0, usualWork) : untilStopped;
}

/** Few scripts need variables or files of the image, so they are made when the first is looked up. */
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
    mayHold: mayHold(container),
    sharers: containerCount(pod),
  };
}

/** Images that cannot be pulled from anywhere, annotated or not. */
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
  // Before the run, which keeps what it makes.
  const changed = fileChanges(commandOf(container), world);
  const run = runOf(container, kind, pod.spec, setting, world);
  const pullFails = setting?.('pull-error') === 'true' || isMissing(container.image);
  const files = changed.length > 0 ? changed : usual.files;
  // Most pods share one value: there may be hundreds of thousands of them in the process.
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
