/**
 * Simulated probes. Nothing is asked: a container's behaviour decides when a probe fails. Only the results that change something, or
 * that people see as Events, are waited for, so that healthy containers cost no timer.
 */

import type { Container, Probe } from '../pod.ts';
import type { ProbeName } from './behaviour.ts';
import { type FileChange, scriptOf } from './command-run.ts';
import { eventTexts, type ProbeTitle, probeOutputs } from './kubelet-texts.ts';
import type { Moment } from './node-runtime.ts';
import type { ContainerState, ProbeState } from './pod-state.ts';

const order: readonly ProbeName[] = ['startup', 'readiness', 'liveness'];
const titles: Readonly<Record<ProbeName, ProbeTitle>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
};

/** client-go reports so many events about an object at once, and one every five minutes afterwards. */
const eventBurst = 25;
const eventRefillSeconds = 300;
/** The kubelet's workers do not run in the very moment of the start. */
const firstProbeSeconds = 0.5;

export const probeOf = (container: Container, name: ProbeName): Probe | undefined => container[`${name}Probe`];

/** When the container has just started. */
export function beginProbes(state: ContainerState, container: Container, moment: Moment): void {
  const named = order.filter((name) => probeOf(container, name));
  state.probes = named.length > 0 ? named.map((name) => newProbe(name)) : undefined;
  state.started = !container.startupProbe;
  // Init containers are ready when they have done their work, ephemeral ones never.
  const canBeReady = state.kind === 'main' || state.kind === 'sidecar';
  state.ready = canBeReady && state.started && !container.readinessProbe;
  if (container.startupProbe) schedule(state, container, 'startup', moment);
  else scheduleOthers(state, container, moment);
}

const newProbe = (name: ProbeName): ProbeState => ({
  name,
  nextAt: undefined,
  isHealthy: name === 'liveness',
  run: 0,
  reported: 0,
});

/** Readiness and liveness wait for the startup probe. */
function scheduleOthers(state: ContainerState, container: Container, moment: Moment): void {
  schedule(state, container, 'readiness', moment);
  schedule(state, container, 'liveness', moment);
}

function schedule(state: ContainerState, container: Container, name: ProbeName, moment: Moment): void {
  const probe = state.probes?.find((one) => one.name === name);
  const spec = probeOf(container, name);
  if (!probe || !spec) return;
  const delay = Math.max(spec.initialDelaySeconds ?? 0, firstProbeSeconds);
  const first = Math.max(state.current!.startedAt + moment.runtime.millis(delay), moment.now);
  probe.nextAt = probe.isHealthy ? nextFailure(state, probe, spec, first, moment) : first;
}

function isFailing(state: ContainerState, name: ProbeName, spec: Probe, at: number, { runtime }: Moment): boolean {
  const since = at - state.current!.startedAt;
  const { warmUpSeconds, failingProbes, failProbesAfterSeconds } = state.behaviour;
  if (since < runtime.millis(warmUpSeconds)) return true;
  if (failingProbes.includes(name) && since >= runtime.millis(failProbesAfterSeconds)) return true;
  const last = fileTimes(state, spec).findLast(({ seconds }) => runtime.millis(seconds) <= since);
  return last ? !last.exists : fileTimes(state, spec).length > 0;
}

/** What becomes of the file that the probe's command names: `cat FILE`, `test -f FILE` and the like. */
function fileTimes({ behaviour }: ContainerState, { exec }: Probe): readonly FileChange[] {
  if (behaviour.files.length === 0 || !exec?.command) return [];
  const path = fileOf(exec.command);
  return behaviour.files.filter((one) => one.path === path);
}

const fileOf = (command: readonly string[]): string | undefined =>
  (scriptOf(command)?.split(/\s/) ?? command.slice(1)).find((word) => word.startsWith('/'));

/** The first probe from `from` on that fails, of those that are a period apart; undefined if none will. */
function nextFailure(
  state: ContainerState,
  { name }: ProbeState,
  spec: Probe,
  from: number,
  moment: Moment,
): number | undefined {
  const { failProbesAfterSeconds, failingProbes } = state.behaviour;
  const period = periodOf(spec, moment);
  const changes = fileTimes(state, spec).map(({ seconds }) => seconds);
  if (failingProbes.includes(name)) changes.push(failProbesAfterSeconds);
  const due = changes
    .map((seconds) => state.current!.startedAt + moment.runtime.millis(seconds))
    .filter((at) => at > from);
  const probed = due.sort((a, b) => a - b).map((at) => from + Math.ceil((at - from) / period) * period);
  return [from, ...probed].find((at) => isFailing(state, name, spec, at, moment));
}

const periodOf = (spec: Probe, { runtime }: Moment): number => runtime.millis(spec.periodSeconds ?? 10);

/** Runs what is due. Returns the probe that has the container killed. */
export function runProbes(
  state: ContainerState,
  container: Container,
  address: string,
  moment: Moment,
): 'liveness' | 'startup' | undefined {
  for (const probe of state.probes ?? []) {
    const spec = probeOf(container, probe.name);
    if (!spec || probe.nextAt === undefined || probe.nextAt > moment.now) continue;
    const killed = runProbe(state, container, probe, spec, address, moment);
    if (killed) return killed;
  }
  return undefined;
}

function runProbe(
  state: ContainerState,
  container: Container,
  probe: ProbeState,
  spec: Probe,
  address: string,
  moment: Moment,
): 'liveness' | 'startup' | undefined {
  const fails = isFailing(state, probe.name, spec, moment.now, moment);
  const period = periodOf(spec, moment);
  if (fails) {
    const isWarmingUp = moment.now - state.current!.startedAt < moment.runtime.millis(state.behaviour.warmUpSeconds);
    moment.record(
      eventTexts.unhealthy(titles[probe.name], outputOf(spec, container, address, isWarmingUp)),
      container.name,
    );
    probe.reported++;
    probe.run = probe.run < 0 ? probe.run - 1 : -1;
    const isSettled = -probe.run >= (spec.failureThreshold ?? 3);
    if (isSettled && probe.name !== 'readiness') return probe.name;
    if (isSettled) [probe.isHealthy, state.ready] = [false, false];
    const isQuiet = isSettled && !isWarmingUp && probe.reported >= eventBurst;
    probe.nextAt = moment.now + (isQuiet ? Math.max(period, moment.runtime.millis(eventRefillSeconds)) : period);
    return undefined;
  }
  probe.run = probe.run > 0 ? probe.run + 1 : 1;
  if (probe.run < (spec.successThreshold ?? 1)) {
    probe.nextAt = moment.now + period;
    return undefined;
  }
  probe.isHealthy = true;
  if (probe.name === 'startup') {
    probe.nextAt = undefined;
    state.started = true;
    state.ready = !container.readinessProbe;
    scheduleOthers(state, container, moment);
    return undefined;
  }
  if (probe.name === 'readiness') state.ready = true;
  probe.nextAt = nextFailure(state, probe, spec, moment.now + period, moment);
  return undefined;
}

/** A program that has not begun to listen refuses; one that listens answers that it is not well. */
function outputOf(spec: Probe, container: Container, ip: string, refuses: boolean): string {
  if (spec.httpGet) {
    const { scheme = 'HTTP', host, path = '/', port } = spec.httpGet;
    if (!refuses) return probeOutputs.httpStatus(500);
    const address = `${host || ip}:${portOf(container, port)}`;
    return probeOutputs.httpRefused(`${scheme.toLowerCase()}://${address}${path}`, address);
  }
  if (spec.tcpSocket)
    return probeOutputs.tcpRefused(`${spec.tcpSocket.host || ip}:${portOf(container, spec.tcpSocket.port)}`);
  if (spec.grpc) return probeOutputs.grpcNotServing();
  const file = spec.exec?.command?.[0] === 'cat' ? fileOf(spec.exec.command) : undefined;
  // Other commands print nothing.
  return file === undefined ? '' : probeOutputs.noSuchFile(file);
}

const portOf = (container: Container, port: number | string): number | string =>
  container.ports?.find(({ name }) => name === port)?.containerPort ?? port;
