/** Reports whether a cluster's agents are connected: in its condition AgentAvailable, and the status of its Agent (KS-5, AGENT-6). */

import type { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { Logger } from 'pino';
import { type Agent, type AgentReplica, agentsPath } from '../members/agent.ts';
import type { AgentEvents } from '../members/agent-tunnel.ts';
import { type Cluster, type Condition, connectionTypeOf } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { type ConditionUpdate, writeStatusUpdate } from './status-writer.ts';

/** In milliseconds: changes within this time are written together, such as a reconnect, or the steps of a login. */
const settleTime = 1_000;
/** In milliseconds: how often changed counters and times are written. */
const refreshTime = 60_000;

export interface ConnectedAgent {
  address: string;
  version: string | undefined;
  /** In milliseconds since 1970. */
  since: number;
  lastSeen: number;
  bytesIn: number;
  bytesOut: number;
  streams: number;
}

export interface AgentStatusParts {
  members: Pick<MemberRegistry, 'events' | 'cluster' | 'allClusters'>;
  tunnels: {
    readonly events: EventEmitter<AgentEvents>;
    isAvailable(cluster: string): boolean;
    of(cluster: string): readonly ConnectedAgent[];
  };
  agents: Pick<Informer<Agent>, 'get' | 'subscribe'>;
  /** The id of this server: others write their own entry. */
  replica: string;
  controlPlane: KubeClient;
  /** False where Karmada writes the status of Clusters itself (CLU-2). */
  writesStatus: boolean;
  log: Logger;
}

export function writeAgentStatus(parts: AgentStatusParts): AsyncDisposable {
  const { members, tunnels, agents, log } = parts;
  const ending = new AbortController();
  const onError = (error: unknown) => log.warn({ err: error }, 'the state of an agent could not be written');
  const queue = new WorkQueue<string>({
    work: async (name) => {
      try {
        await settle(name);
        return true;
      } catch (error) {
        // There was another write in between, or the object does not exist yet: it is read again.
        if (isStatus(error, 409) || isStatus(error, 404)) return false;
        throw error;
      }
    },
    onError,
    workers: 4,
  });
  const settle = async (name: string): Promise<void> => {
    const cluster = members.cluster(name);
    if (!cluster || cluster.metadata.deletionTimestamp) return;
    const condition = conditionOf(cluster, tunnels.isAvailable(name));
    if (condition && parts.writesStatus)
      await writeStatusUpdate(parts.controlPlane, cluster, { condition }, ending.signal);
    const agent = agents.get(name);
    if (!agent || connectionTypeOf(cluster) !== 'proxy') return;
    await writeReplica(parts, agent, tunnels.of(name), ending.signal);
    if (tunnels.of(name).length > 0) queue.addAfter(name, name, refreshTime);
  };
  const look = (name: string) => queue.addAfter(name, name, settleTime);
  const seen = ({ metadata }: Cluster) => look(metadata.name);
  members.events.on('seen', seen);
  tunnels.events.on('changed', look);
  // An Agent that was created after its agent had connected.
  const subscription = agents.subscribe((name, agent) => {
    if (agent && !agent.status) look(name);
  });
  for (const cluster of members.allClusters()) seen(cluster);
  return {
    async [Symbol.asyncDispose]() {
      members.events.off('seen', seen);
      tunnels.events.off('changed', look);
      subscription[Symbol.dispose]();
      ending.abort();
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** Undefined if nothing is to be written: KubeSphere's form shows by itself that a direct cluster needs no agent. */
function conditionOf(cluster: Cluster, isAvailable: boolean): ConditionUpdate | undefined {
  const type = 'AgentAvailable';
  if (connectionTypeOf(cluster) === 'direct') {
    const isWritten = cluster.status?.conditions?.some((one) => one.type === type);
    if (!isWritten) return undefined;
    return {
      type,
      status: 'True',
      reason: 'DirectConnection',
      message: 'cluster is reached directly, without an agent',
    };
  }
  return isAvailable
    ? { type, status: 'True', reason: 'AgentConnected', message: 'an agent of the cluster is connected' }
    : { type, status: 'False', reason: 'AgentNotConnected', message: 'no agent of the cluster is connected' };
}

async function writeReplica(
  { controlPlane, replica }: Pick<AgentStatusParts, 'controlPlane' | 'replica'>,
  { metadata, status = {} }: Agent,
  connections: readonly ConnectedAgent[],
  signal: AbortSignal,
): Promise<void> {
  const known = status.replicas?.find((one) => one.replica === replica);
  // Without a connection to this server so far, there is no entry to update.
  if (!known && connections.length === 0) return;
  const shown = replicaOf(replica, connections, known);
  const others = (status.replicas ?? []).filter((one) => one.replica !== replica);
  const replicas = [...others, shown];
  const isConnected = replicas.some(({ state }) => state === 'Connected');
  const conditions = withConnected(status.conditions ?? [], isConnected);
  if (isDeepStrictEqual(known, shown) && conditions === status.conditions) return;
  // Counters and times change with every byte.
  const age = Date.parse(shown.lastSeen ?? '') - Date.parse(known?.lastSeen ?? '');
  if (known && isSameAgent(known, shown) && age < refreshTime) return;
  const { name, resourceVersion } = metadata;
  const patch = { metadata: { resourceVersion }, status: { conditions, replicas } };
  await controlPlane.patch(`${agentsPath}/${name}/status`, 'merge', patch, signal);
}

function replicaOf(
  replica: string,
  connections: readonly ConnectedAgent[],
  known: AgentReplica | undefined,
): AgentReplica {
  const [first] = connections;
  // Once it disconnects, its entry keeps the last known values.
  if (!first) return { ...known, replica, state: 'Disconnected', streams: 0 };
  const sum = (amountOf: (one: ConnectedAgent) => number) =>
    connections.reduce((all, connection) => all + amountOf(connection), 0);
  const version = connections.find((one) => one.version !== undefined)?.version;
  return {
    replica,
    state: 'Connected',
    address: first.address,
    ...(version === undefined ? {} : { version }),
    connectedSince: timeText(Math.min(...connections.map(({ since }) => since))),
    lastSeen: timeText(Math.max(...connections.map(({ lastSeen }) => lastSeen))),
    bytesReceived: sum(({ bytesIn }) => bytesIn),
    bytesSent: sum(({ bytesOut }) => bytesOut),
    streams: sum(({ streams }) => streams),
  };
}

const isSameAgent = (a: AgentReplica, b: AgentReplica): boolean =>
  (['state', 'address', 'version', 'connectedSince'] as const).every((key) => a[key] === b[key]);

function withConnected(conditions: Condition[], isConnected: boolean): Condition[] {
  const type = 'Connected';
  const status = isConnected ? 'True' : 'False';
  const known = conditions.find((one) => one.type === type);
  if (known?.status === status) return conditions;
  const reason = isConnected ? 'AgentConnected' : 'AgentNotConnected';
  const message = isConnected ? 'an agent of the cluster is connected' : 'no agent of the cluster is connected';
  const condition: Condition = { type, status, reason, message, lastTransitionTime: timeText(Date.now()) };
  return [...conditions.filter((one) => one.type !== type), condition];
}
