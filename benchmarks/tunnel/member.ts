/** The member that all transports reach: a simulated cluster in a process of its own, with a small ConfigMap and a list of 5 MB. */

import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { answerParent } from '../scale/child-process.ts';

export const small = '/api/v1/namespaces/default/configmaps/small';
export const list = '/api/v1/namespaces/large/configmaps';

let cluster: SimulatedCluster | undefined;

const commands = {
  async start({ objects, size }: { objects: number; size: number }): Promise<{ kubeconfig: string; port: number }> {
    cluster = await startCluster({ name: 'member', nodes: 1, onError: (error) => console.error(error) });
    const { client, kubeconfig, port } = cluster;
    await client.create('/api/v1/namespaces', { metadata: { name: 'large' } });
    await client.create('/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'small' },
      data: { key: 'value' },
    });
    const data = { text: 'x'.repeat(size) };
    for (let i = 0; i < objects; i++) await client.create(list, { metadata: { name: `large-${i}` }, data });
    return { kubeconfig, port };
  },
};

export type MemberCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
