/** In one word what a pod is doing, how many of its containers are ready and how often they began anew, as kubectl shows it. */

import type { KubeObject } from '../registry/kube-object.ts';

interface Terminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  finishedAt?: string;
}

interface ContainerStatus {
  name: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: { waiting?: { reason?: string }; running?: object; terminated?: Terminated };
  lastState?: { terminated?: Terminated };
}

export interface PodSpec {
  containers?: { name: string }[];
  initContainers?: { name: string; restartPolicy?: string }[];
  nodeName?: string;
  readinessGates?: { conditionType: string }[];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  conditions?: { type: string; status: string; reason?: string }[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  podIPs?: { ip?: string }[];
  nominatedNodeName?: string;
}

export interface PodState {
  word: string;
  ready: number;
  total: number;
  restarts: number;
  /** Milliseconds; 0 if it never did. */
  lastRestart: number;
}

export const podSpec = ({ spec }: KubeObject): PodSpec => (spec ?? {}) as PodSpec;
export const podStatus = ({ status }: KubeObject): PodStatus => (status ?? {}) as PodStatus;

const isTrue = ({ conditions = [] }: PodStatus, wanted: string): boolean =>
  conditions.some(({ type, status }) => type === wanted && status === 'True');

const restartOf = ({ lastState }: ContainerStatus): number => Date.parse(lastState?.terminated?.finishedAt ?? '') || 0;

const endOf = ({ reason, signal, exitCode }: Terminated): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);

export function podState(pod: KubeObject): PodState {
  const spec = podSpec(pod);
  const status = podStatus(pod);
  const beginning = initialState(spec, status);
  const { isOver, ...first } = beginning;
  const state = isOver || isTrue(status, 'Initialized') ? runningState(status, beginning) : first;
  const { deletionTimestamp } = pod.metadata;
  if (!deletionTimestamp) return state;
  if (status.reason === 'NodeLost') return { ...state, word: 'Unknown' };
  return ['Succeeded', 'Failed'].includes(status.phase ?? '') ? state : { ...state, word: 'Terminating' };
}

interface Beginning extends PodState {
  isOver: boolean;
  /** Of those that go on beside the others. */
  beside: { restarts: number; lastRestart: number };
}

function initialState(spec: PodSpec, status: PodStatus): Beginning {
  const { initContainers = [], containers = [] } = spec;
  const goesOn = new Set(
    initContainers.flatMap(({ name, restartPolicy }) => (restartPolicy === 'Always' ? [name] : [])),
  );
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const state: Beginning = {
    word: isGated ? 'SchedulingGated' : status.reason || (status.phase ?? ''),
    ready: 0,
    total: containers.length + goesOn.size,
    restarts: 0,
    lastRestart: 0,
    isOver: true,
    beside: { restarts: 0, lastRestart: 0 },
  };
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const { state: now, restartCount = 0 } = container;
    const isBeside = goesOn.has(container.name);
    for (const counts of isBeside ? [state, state.beside] : [state]) {
      counts.restarts += restartCount;
      counts.lastRestart = Math.max(counts.lastRestart, restartOf(container));
    }
    if (now?.terminated?.exitCode === 0) continue;
    if (isBeside && container.started) {
      if (container.ready) state.ready++;
      continue;
    }
    const waiting = now?.waiting?.reason;
    if (now?.terminated) state.word = `Init:${endOf(now.terminated)}`;
    else if (waiting && waiting !== 'PodInitializing') state.word = `Init:${waiting}`;
    else state.word = `Init:${index}/${initContainers.length}`;
    state.isOver = false;
    break;
  }
  return state;
}

function runningState(status: PodStatus, { beside, isOver: _, ...first }: Beginning): PodState {
  const state: PodState = { ...first, ...beside };
  let isRunning = false;
  let failure = '';
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    const { state: now, ready, restartCount = 0 } = container;
    state.restarts += restartCount;
    state.lastRestart = Math.max(state.lastRestart, restartOf(container));
    if (now?.waiting?.reason) state.word = now.waiting.reason;
    else if (now?.terminated) {
      state.word = endOf(now.terminated);
      if (now.terminated.exitCode !== 0) failure = state.word;
    } else if (ready && now?.running) {
      isRunning = true;
      state.ready++;
    }
  }
  if (state.word !== 'Completed') return state;
  if (isRunning && isTrue(status, 'Ready')) return { ...state, word: 'Running' };
  return { ...state, word: failure || (isRunning ? 'NotReady' : 'Completed') };
}
