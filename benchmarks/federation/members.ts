/** The simulated members, all in one process of their own: they count what is written to them, and note when an object changes. */

import { Informer } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { memoryOf } from '../memory.ts';
import { answerParent } from '../scale/child-process.ts';
import { add, type WriteCounts, writeOf } from './write-counts.ts';

export interface Watched {
  /** Of a collection. */
  path: string;
  name: string;
}

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const members: SimulatedCluster[] = [];
const writes: WriteCounts = {};
const watches: Informer<ConfigMap>[] = [];
/** By member: when it had which value. */
const seen = new Map<string, Map<string, number>>();

const commands = {
  /** One after the other. */
  async start({ names, nodes }: { names: readonly string[]; nodes: number }) {
    const started: { name: string; kubeconfig: string; millis: number }[] = [];
    for (const name of names) {
      const begun = performance.now();
      const cluster = await startCluster({
        name,
        nodes,
        onError: (error) => console.error(name, error),
        // Requests of its own controllers and nodes do not come over its port.
        onRequest: ({ method, url, headers }) => {
          const write = writeOf(method, url);
          if (write && !String(headers['user-agent']).startsWith('bench')) add(writes, write);
        },
      });
      members.push(cluster);
      started.push({ name, kubeconfig: cluster.kubeconfig, millis: performance.now() - begun });
    }
    return started;
  },

  async writes(): Promise<WriteCounts> {
    return writes;
  },

  /** How many objects of a collection all members have together. */
  async count(path: string): Promise<number> {
    let count = 0;
    for (const { client } of members) count += (await client.list(path)).items.length;
    return count;
  },

  /** From now on each member notes when the ConfigMap has a new value. */
  async watch({ path, name }: Watched): Promise<void> {
    for (const { client, name: member } of members) {
      const values = new Map<string, number>();
      seen.set(member, values);
      const onChange = (_key: string, now: ConfigMap | undefined) => {
        const value = now?.data?.['value'];
        if (now?.metadata.name !== name || value === undefined || values.has(value)) return;
        values.set(value, performance.timeOrigin + performance.now());
      };
      const informer = new Informer<ConfigMap>({ client, path, onChange, onError: console.error });
      watches.push(informer);
      await informer.synced;
    }
  },

  /** When each had the value: milliseconds since 1970, of those that have it. */
  async seen(value: string): Promise<number[]> {
    return [...seen.values()].flatMap((values) => values.get(value) ?? []);
  },

  /** MiB. */
  async memory(): Promise<number> {
    return memoryOf(process.pid);
  },
};

export type FederationMembersCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
