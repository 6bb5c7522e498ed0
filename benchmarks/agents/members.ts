/** Simulated members and their agents, all in one process of their own. Each agent dials from an address of its own, as behind its own firewall. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import { credentialsOf, handing, type RunningAgent, startAgent } from '../../test/simulated/src/agent-member.ts';
import { memoryOf } from '../memory.ts';
import { answerParent } from '../scale/child-process.ts';

interface Started {
  cluster: SimulatedCluster;
  credentials: AgentCredentials;
}

const members = new Map<string, Started>();
const agents: RunningAgent[] = [];

/** Of loopback. */
const addressOf = (index: number): string => `127.1.${Math.floor(index / 250)}.${1 + (index % 250)}`;

const commands = {
  /** Returns the kubeconfigs. */
  async start(names: readonly string[]): Promise<{ name: string; kubeconfig: string; millis: number }[]> {
    const started = [];
    for (const name of names) {
      const begun = performance.now();
      const cluster = await startCluster({ name, nodes: 1, onError: (error) => console.error(name, error) });
      members.set(name, { cluster, credentials: await credentialsOf(cluster) });
      started.push({ name, kubeconfig: cluster.kubeconfig, millis: performance.now() - begun });
    }
    return started;
  },

  /** One agent a token, all at once. They go on until the process ends. */
  async connect({ url, tokens }: { url: string; tokens: readonly AgentToken[] }): Promise<void> {
    const { hostname, port } = new URL(url);
    for (const [index, token] of tokens.entries()) {
      const { cluster, credentials } = members.get(token.cluster)!;
      const dial = async () => {
        const socket = connect({ port: Number(port), host: hostname, localAddress: addressOf(index) });
        await once(socket, 'connect');
        return socket;
      };
      agents.push(startAgent({ url }, token, cluster, { credentials: handing(credentials), dial }));
    }
  },

  /** MiB. */
  async memory(): Promise<number> {
    return memoryOf(process.pid);
  },
};

export type AgentMembersCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
