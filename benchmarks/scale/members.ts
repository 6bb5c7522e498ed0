/** The simulated members, all in one process of their own. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { memoryOf } from '../memory.ts';
import { answerParent } from './child-process.ts';

export interface StartedMember {
  name: string;
  kubeconfig: string;
  /** Until its nodes are Ready. */
  millis: number;
}

const members: SimulatedCluster[] = [];
const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();

const commands = {
  /** One after the other. */
  async start(names: readonly string[]): Promise<StartedMember[]> {
    const started: StartedMember[] = [];
    for (const name of names) {
      const begun = performance.now();
      const cluster = await startCluster({ name, onError: (error) => console.error(name, error) });
      await nodesReady(cluster);
      members.push(cluster);
      started.push({ name, kubeconfig: cluster.kubeconfig, millis: performance.now() - begun });
    }
    return started;
  },

  /** So many pods in each. */
  async fill(pods: number): Promise<void> {
    for (const cluster of members) await cluster.fill(pods);
  },

  /** MiB, after what is no longer used was given back. */
  async memory(): Promise<number> {
    globalThis.gc?.();
    return memoryOf(process.pid);
  },

  /** How late its event loop was since the last ask, in milliseconds. */
  async lateness(): Promise<{ p99: number; most: number }> {
    const [p99, most] = [loop.percentile(99) / 1e6, loop.max / 1e6];
    loop.reset();
    return { p99, most };
  },
};

interface Node {
  status?: { conditions?: { type: string; status: string }[] };
}

async function nodesReady({ client, name }: SimulatedCluster): Promise<void> {
  const { items } = await client.list<Node>('/api/v1/nodes');
  const isReady = ({ status }: Node) =>
    status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
  if (items.length === 0 || !items.every(isReady)) throw new Error(`${name} has nodes that are not Ready`);
}

export type MembersCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
