/** The Table columns of Pods, with the status as kubectl shows it. */

import type { KubeObject } from '../../registry/kube-object.ts';
import { type Cell, type RowCondition, sinceTime } from '../../registry/printed-kind.ts';
import { type CellsOf, type Condition, conditionOf, none } from '../printing/cells.ts';
import { printedColumns } from '../printing/printed-columns.ts';

interface Terminated {
  exitCode?: number;
  signal?: number;
  reason?: string;
  finishedAt?: string;
}

interface ContainerStatus {
  name?: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: { waiting?: { reason?: string }; running?: object; terminated?: Terminated };
  lastState?: { terminated?: Terminated };
}

interface Pod {
  metadata: { deletionTimestamp?: string };
  spec?: {
    containers?: unknown[];
    initContainers?: { name?: string; restartPolicy?: string }[];
    nodeName?: string;
    readinessGates?: { conditionType: string }[];
  };
  status?: {
    phase?: string;
    reason?: string;
    conditions?: Condition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
    podIPs?: { ip?: string }[];
    nominatedNodeName?: string;
  };
}

/** An init container that continues to run beside the others. */
const isSidecar = ({ spec }: Pod, name: string | undefined): boolean =>
  spec?.initContainers?.find((container) => container.name === name)?.restartPolicy === 'Always';

const exitOf = ({ reason, signal, exitCode = 0 }: Terminated): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);

const isDone = ({ state }: ContainerStatus): boolean =>
  state?.terminated !== undefined && (state.terminated.exitCode ?? 0) === 0;

/** The status while the pod is initializing, from its first init container that is not done. */
function preparing(pod: Pod): string | undefined {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const index = statuses.findIndex((one) => !isDone(one) && !(isSidecar(pod, one.name) && one.started));
  if (index < 0) return undefined;
  const { state } = statuses[index]!;
  if (state?.terminated) return `Init:${exitOf(state.terminated)}`;
  const reason = state?.waiting?.reason;
  if (reason && reason !== 'PodInitializing') return `Init:${reason}`;
  return `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`;
}

/** Once the pod is initialized, the containers determine the status. */
const isPrepared = (pod: Pod): boolean =>
  preparing(pod) === undefined || conditionOf(pod.status?.conditions, 'Initialized')?.status === 'True';

const isRunning = ({ ready, state }: ContainerStatus): boolean =>
  !state?.waiting?.reason && !state?.terminated && Boolean(ready && state?.running);

/** The status of the first container that has a reason. */
function containersReason({ status }: Pod): string | undefined {
  for (const { state } of status?.containerStatuses ?? []) {
    if (state?.waiting?.reason) return state.waiting.reason;
    if (state?.terminated) return exitOf(state.terminated);
  }
  return undefined;
}

function failure({ status }: Pod): string | undefined {
  const failed = status?.containerStatuses?.find(
    ({ state }) => !state?.waiting?.reason && (state?.terminated?.exitCode ?? 0) !== 0,
  );
  return failed && exitOf(failed.state!.terminated!);
}

function reasonOf(pod: Pod): string {
  const { phase = '', reason, conditions = [], containerStatuses = [] } = pod.status ?? {};
  const gated = conditions.some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated');
  const before = preparing(pod) ?? (gated ? 'SchedulingGated' : reason || phase);
  if (!isPrepared(pod)) return before;
  const status = containersReason(pod) ?? before;
  if (status !== 'Completed') return status;
  // At least one is running.
  const running = containerStatuses.some(isRunning);
  if (running && conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return 'Running';
  return failure(pod) ?? (running ? 'NotReady' : status);
}

function statusOf(pod: Pod): string {
  const { phase = '', reason } = pod.status ?? {};
  if (!pod.metadata.deletionTimestamp) return reasonOf(pod);
  if (reason === 'NodeLost') return 'Unknown';
  return ['Failed', 'Succeeded'].includes(phase) ? reasonOf(pod) : 'Terminating';
}

/** Init containers after one that is not done have not started. */
function begunInitContainers(pod: Pod): readonly ContainerStatus[] {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const stuck = statuses.findIndex((one) => !isDone(one) && !(isSidecar(pod, one.name) && one.started));
  return stuck < 0 ? statuses : statuses.slice(0, stuck + 1);
}

function readiness(pod: Pod): string {
  const sidecars = pod.spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  const all = (pod.spec?.containers?.length ?? 0) + sidecars.length;
  const beside = begunInitContainers(pod).filter(
    (one) => !isDone(one) && isSidecar(pod, one.name) && one.started && one.ready,
  );
  const running = isPrepared(pod) ? (pod.status?.containerStatuses ?? []).filter(isRunning) : [];
  return `${beside.length + running.length}/${all}`;
}

function restarts(pod: Pod, now: number): string {
  const init = begunInitContainers(pod);
  const counted = isPrepared(pod)
    ? [...init.filter(({ name }) => isSidecar(pod, name)), ...(pod.status?.containerStatuses ?? [])]
    : init;
  const count = counted.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const last = counted
    .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
    .sort()
    .at(-1);
  return count > 0 && last ? `${count} (${sinceTime(last, now)} ago)` : String(count);
}

function gates({ spec, status }: Pod): Cell {
  const asked = spec?.readinessGates ?? [];
  if (asked.length === 0) return none;
  const open = asked.filter(({ conditionType }) => conditionOf(status?.conditions, conditionType)?.status === 'True');
  return `${open.length}/${asked.length}`;
}

const cells: CellsOf<Pod> = {
  Ready: readiness,
  Status: statusOf,
  Restarts: restarts,
  IP: ({ status }) => status?.podIPs?.[0]?.ip || none,
  Node: ({ spec }) => spec?.nodeName || none,
  'Nominated Node': ({ status }) => status?.nominatedNodeName || none,
  'Readiness Gates': gates,
};

export const podColumns = printedColumns('', 'v1', 'pods', cells);

const completed = (reason: string, message: string): readonly RowCondition[] => [
  { type: 'Completed', status: 'True', reason, message },
];

/** Lets clients hide completed pods. */
export function podRowConditions({ status }: KubeObject): readonly RowCondition[] | undefined {
  switch ((status as Pod['status'])?.phase) {
    case 'Succeeded':
      return completed('Succeeded', 'The pod has completed successfully.');
    case 'Failed':
      return completed('Failed', 'The pod failed.');
    default:
      return undefined;
  }
}
