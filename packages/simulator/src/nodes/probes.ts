/**
 * Simulates probes. Nothing is requested: a container's behaviour decides when a probe fails. Only results that change something, or
 * that are visible as Events, have timers, so that healthy containers cost none.
 */

import type { Container, Probe } from '../pods/pod.ts';
import type { ProbeName } from './behaviour.ts';
import { scriptOf } from './command-run.ts';
import { eventTexts, type ProbeTitle, probeOutputs } from './kubelet-texts.ts';
import type { SyncContext } from './node-runtime.ts';
import type { ContainerRecord, ProbeState } from './pod-record.ts';
import type { FileChange } from './script-world.ts';

const order: readonly ProbeName[] = ['startup', 'readiness', 'liveness'];
const titles: Readonly<Record<ProbeName, ProbeTitle>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
};

/** client-go sends so many events about an object at once, and one every five minutes afterwards. */
const eventBurst = 25;
const eventRefillSeconds = 300;
/** The kubelet's workers do not run exactly at the start. */
const firstProbeSeconds = 0.5;

export const probeOf = (container: Container, name: ProbeName): Probe | undefined => container[`${name}Probe`];

/** Called when the container has just started. */
export function beginProbes(state: ContainerRecord, container: Container, sync: SyncContext): void {
  const named = order.filter((name) => probeOf(container, name));
  state.probes = named.length > 0 ? named.map((name) => newProbe(name)) : undefined;
  state.started = !container.startupProbe;
  // Init containers are ready when they have completed, ephemeral ones never.
  const canBeReady = state.kind === 'main' || state.kind === 'sidecar';
  state.ready = canBeReady && state.started && !container.readinessProbe;
  if (container.startupProbe) schedule(state, container, 'startup', sync);
  else scheduleOthers(state, container, sync);
}

const newProbe = (name: ProbeName): ProbeState => ({
  name,
  nextAt: undefined,
  isHealthy: name === 'liveness',
  run: 0,
  reported: 0,
});

/** Readiness and liveness wait for the startup probe. */
function scheduleOthers(state: ContainerRecord, container: Container, sync: SyncContext): void {
  schedule(state, container, 'readiness', sync);
  schedule(state, container, 'liveness', sync);
}

function schedule(state: ContainerRecord, container: Container, name: ProbeName, sync: SyncContext): void {
  const probe = state.probes?.find((one) => one.name === name);
  const spec = probeOf(container, name);
  if (!probe || !spec) return;
  const delay = Math.max(spec.initialDelaySeconds ?? 0, firstProbeSeconds);
  const first = Math.max(state.current!.startedAt + sync.runtime.millis(delay), sync.now);
  probe.nextAt = probe.isHealthy ? nextFailure(state, probe, spec, first, sync) : first;
}

function isFailing(
  state: ContainerRecord,
  name: ProbeName,
  changes: readonly FileChange[],
  at: number,
  { runtime }: SyncContext,
): boolean {
  const since = at - state.current!.startedAt;
  const { warmUpSeconds, failingProbes, failProbesAfterSeconds } = state.behaviour;
  if (since < runtime.millis(warmUpSeconds)) return true;
  if (failingProbes.includes(name) && since >= runtime.millis(failProbesAfterSeconds)) return true;
  const last = changes.findLast(({ seconds }) => runtime.millis(seconds) <= since);
  return last ? !last.exists : changes.length > 0;
}

/** The times at which the file exists that the probe's command checks: `cat FILE`, `test -f FILE` and the like. */
function fileTimes({ behaviour }: ContainerRecord, { exec }: Probe): readonly FileChange[] {
  if (behaviour.files.length === 0 || !exec?.command) return [];
  const path = fileOf(exec.command);
  return behaviour.files.filter((one) => one.path === path);
}

function fileOf(command: readonly string[]): string | undefined {
  const script = scriptOf(command);
  if (script === undefined) return command.slice(1).find((word) => word.startsWith('/'));
  return /(?:^|\s)(\/\S*)/.exec(script)?.[1];
}

/** The first failing probe from `from` on, at multiples of the period; undefined if none will fail. */
function nextFailure(
  state: ContainerRecord,
  { name }: ProbeState,
  spec: Probe,
  from: number,
  sync: SyncContext,
): number | undefined {
  const { failProbesAfterSeconds, failingProbes } = state.behaviour;
  const period = periodOf(spec, sync);
  const changes = fileTimes(state, spec);
  const times = changes.map(({ seconds }) => seconds);
  if (failingProbes.includes(name)) times.push(failProbesAfterSeconds);
  const due = times.map((seconds) => state.current!.startedAt + sync.runtime.millis(seconds)).filter((at) => at > from);
  const probed = due.sort((a, b) => a - b).map((at) => from + Math.ceil((at - from) / period) * period);
  return [from, ...probed].find((at) => isFailing(state, name, changes, at, sync));
}

const periodOf = (spec: Probe, { runtime }: SyncContext): number => runtime.millis(spec.periodSeconds ?? 10);

/** Runs the probes that are due. Returns the probe because of which the container is killed. */
export function runProbes(
  state: ContainerRecord,
  container: Container,
  address: string,
  sync: SyncContext,
): 'liveness' | 'startup' | undefined {
  for (const probe of state.probes ?? []) {
    const spec = probeOf(container, probe.name);
    if (!spec || probe.nextAt === undefined || probe.nextAt > sync.now) continue;
    const killed = runProbe(state, container, probe, spec, address, sync);
    if (killed) return killed;
  }
  return undefined;
}

function runProbe(
  state: ContainerRecord,
  container: Container,
  probe: ProbeState,
  spec: Probe,
  address: string,
  sync: SyncContext,
): 'liveness' | 'startup' | undefined {
  const fails = isFailing(state, probe.name, fileTimes(state, spec), sync.now, sync);
  const period = periodOf(spec, sync);
  if (fails) {
    const isWarmingUp = sync.now - state.current!.startedAt < sync.runtime.millis(state.behaviour.warmUpSeconds);
    sync.record(
      eventTexts.unhealthy(titles[probe.name], outputOf(spec, container, address, isWarmingUp)),
      container.name,
    );
    probe.reported++;
    probe.run = probe.run < 0 ? probe.run - 1 : -1;
    const isSettled = -probe.run >= (spec.failureThreshold ?? 3);
    if (isSettled && probe.name !== 'readiness') return probe.name;
    if (isSettled) [probe.isHealthy, state.ready] = [false, false];
    const isQuiet = isSettled && !isWarmingUp && probe.reported >= eventBurst;
    probe.nextAt = sync.now + (isQuiet ? Math.max(period, sync.runtime.millis(eventRefillSeconds)) : period);
    return undefined;
  }
  probe.run = probe.run > 0 ? probe.run + 1 : 1;
  if (probe.run < (spec.successThreshold ?? 1)) {
    probe.nextAt = sync.now + period;
    return undefined;
  }
  probe.isHealthy = true;
  if (probe.name === 'startup') {
    probe.nextAt = undefined;
    state.started = true;
    state.ready = !container.readinessProbe;
    scheduleOthers(state, container, sync);
    return undefined;
  }
  if (probe.name === 'readiness') state.ready = true;
  probe.nextAt = nextFailure(state, probe, spec, sync.now + period, sync);
  return undefined;
}

/** A program that does not listen yet refuses the connection; one that listens responds that it is unhealthy. */
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
