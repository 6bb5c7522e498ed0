import { EventEmitter } from 'node:events';
import type { Informer } from '@fleet/client/informer.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Agent, agentsPath } from '../members/agent.ts';
import type { AgentEvents } from '../members/agent-tunnel.ts';
import { type Cluster, clustersPath, connectionTypeAnnotation } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { silentLog } from '../testing/silent-log.ts';
import { type ConnectedAgent, writeAgentStatus } from './agent-status.ts';

let controlPlane: FakeControlPlane;
let connected: ConnectedAgent[];
let running: AsyncDisposable;
const events = { members: new EventEmitter() as MemberRegistry['events'], tunnels: new EventEmitter<AgentEvents>() };

const second = (from: number) => Date.parse('2026-01-01T00:00:00Z') + from * 1000;
const connection = (since: number, lastSeen: number): ConnectedAgent => ({
  address: '10.0.0.1',
  version: '1.2.3',
  since: second(since),
  lastSeen: second(lastSeen),
  bytesIn: 10,
  bytesOut: 5,
  streams: 2,
});

const cluster = () => controlPlane.get<Cluster>(clustersPath, 'm1');
const agent = () => controlPlane.get<Agent>(agentsPath, 'm1');
const condition = () => cluster().status?.conditions?.find(({ type }) => type === 'AgentAvailable');
const agentWrites = () => controlPlane.patches.filter(({ path }) => path === `${agentsPath}/m1/status`).length;
const changed = async () => {
  events.tunnels.emit('changed', 'm1');
  await vi.advanceTimersByTimeAsync(1_500);
};

beforeEach(() => {
  vi.useFakeTimers();
  controlPlane = new FakeControlPlane();
  connected = [];
});
afterEach(async () => {
  await running[Symbol.asyncDispose]();
  vi.useRealTimers();
});

async function start(type = 'proxy', status: Cluster['status'] = {}): Promise<void> {
  const metadata = { name: 'm1', annotations: { [connectionTypeAnnotation]: type } };
  controlPlane.put(clustersPath, { metadata, spec: { syncMode: 'Push' }, status } as Cluster);
  const others = [{ replica: 'other', state: 'Disconnected' }];
  controlPlane.put(agentsPath, { metadata: { name: 'm1' }, status: { replicas: others } } as Agent);
  running = writeAgentStatus({
    members: { events: events.members, cluster, allClusters: () => [cluster()] } as unknown as MemberRegistry,
    tunnels: { events: events.tunnels, isAvailable: () => connected.length > 0, of: () => connected },
    agents: { get: agent, subscribe: () => ({ [Symbol.dispose]() {} }) } as unknown as Informer<Agent>,
    replica: 'here',
    controlPlane: new KubeClient(controlPlane.upstream),
    writesStatus: true,
    log: silentLog().log,
  });
  await vi.advanceTimersByTimeAsync(1_500);
}

describe('KS-5, AGENT-6: how agents are connected', () => {
  it('is a condition of the Cluster, and a line of this replica in the Agent', async () => {
    await start();
    expect(condition()).toMatchObject({ status: 'False', reason: 'AgentNotConnected' });
    expect(agentWrites()).toBe(0);
    connected = [connection(10, 20), connection(11, 21)];
    await changed();
    expect(condition()).toMatchObject({ status: 'True', reason: 'AgentConnected' });
    expect(agent().status?.replicas).toEqual([
      { replica: 'other', state: 'Disconnected' },
      {
        replica: 'here',
        state: 'Connected',
        address: '10.0.0.1',
        version: '1.2.3',
        connectedSince: '2026-01-01T00:00:10Z',
        lastSeen: '2026-01-01T00:00:21Z',
        bytesReceived: 20,
        bytesSent: 10,
        streams: 4,
      },
    ]);
    expect(agent().status?.conditions).toMatchObject([{ type: 'Connected', status: 'True' }]);
    connected = [];
    await changed();
    expect(condition()).toMatchObject({ status: 'False' });
    expect(agent().status?.replicas?.[1]).toMatchObject({ state: 'Disconnected', lastSeen: '2026-01-01T00:00:21Z' });
    expect(agent().status?.conditions).toMatchObject([{ type: 'Connected', status: 'False' }]);
  });

  it('counters alone are written once a minute', async () => {
    await start();
    connected = [connection(10, 20)];
    await changed();
    expect(agentWrites()).toBe(1);
    connected = [connection(10, 30)];
    for (let i = 0; i < 5; i++) await changed();
    expect(agentWrites()).toBe(1);
    connected = [connection(10, 90)];
    await vi.advanceTimersByTimeAsync(61_000);
    expect(agentWrites()).toBe(2);
  });

  it('a cluster that is reached directly has the condition only if it once had an agent', async () => {
    await start('direct');
    expect(condition()).toBeUndefined();
    await running[Symbol.asyncDispose]();
    const stale = {
      type: 'AgentAvailable',
      status: 'False',
      reason: 'x',
      message: '',
      lastTransitionTime: '',
    } as const;
    await start('direct', { conditions: [stale] });
    expect(condition()).toMatchObject({ status: 'True', reason: 'DirectConnection' });
  });
});
