/** Simulated clusters behind agents that are processes of their own, with a network on both sides of each agent that can break. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from '@fleet/bed/api.ts';
import { type FaultProxy, startFaultProxy } from '@fleet/bed/fault-proxy.ts';
import { freePort, givePortBack } from '@fleet/bed/ports.ts';
import { until } from '@fleet/bed/until.ts';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { clustersPath } from './agent-member.ts';
import { type AgentProcess, type AgentProcessOptions, joinByAgent, startAgentProcess } from './agent-process.ts';
import { type SimulatedFleet, startFleet } from './fleet.ts';
import { type ProductOptions, readCa } from './product.ts';

export const maps = '/api/v1/namespaces/default/configmaps';

export interface Condition {
  type: string;
  status: string;
  reason: string;
}

export interface FaultyMember {
  name: string;
  cluster: SimulatedCluster;
  /** Between agents and the product. */
  link: FaultProxy;
  /** Between agents and the member. */
  beside: FaultProxy;
  /** Another agent of it, once both of its connections are there. It ends with the fleet. */
  startAgent(options?: Partial<AgentProcessOptions>): Promise<AgentProcess>;
}

export interface FaultyFleet<Name extends string> extends AsyncDisposable {
  fleet: SimulatedFleet;
  members: Record<Name, FaultyMember>;
  /** The product, as its administrator. */
  api: Api;
  condition(name: Name, type: string): Promise<Condition | undefined>;
}

export const bothConnections = 2;

/** Of loopback, in turns: of one, ten connections are taken in a second (AGENT-3). */
function otherAddresses(): () => string {
  let dialled = 0;
  return () => `127.0.0.${2 + (dialled++ % 250)}`;
}

/** Each member has a ConfigMap `who` that names it. None has an agent yet. */
export async function startFaultyFleet<Name extends string>(
  names: readonly Name[],
  options: ProductOptions = {},
): Promise<FaultyFleet<Name>> {
  await using starting = new AsyncDisposableStack();
  // Not one that the kernel gives to outgoing connections: it is the same when the product is started again.
  const port = await freePort();
  starting.defer(() => givePortBack(port));
  const flags = ['--listen', `127.0.0.1:${port}`, ...(options.flags ?? [])];
  const fleet = starting.use(await startFleet({ ...options, members: [], flags }));
  const read = (file: string) => readFile(join(fleet.product.dataDir, 'pki', file), 'utf8');
  const [cert, key] = await Promise.all([read('admin.crt'), read('admin.key')]);
  const { cert: ca } = await readCa(fleet.product);
  const api = starting.use(new Api(fleet.product.url, ca, { cert, key }));
  const agents = starting.use(new AsyncDisposableStack());
  const entries: [Name, FaultyMember][] = [];
  for (const name of names) {
    const cluster = await startCluster({ name, nodes: 1, onError: (error) => console.error(name, error) });
    // Ended by the fleet, behind the product.
    fleet.members.set(name, cluster);
    await cluster.client.create(maps, { metadata: { name: 'who' }, data: { cluster: name } });
    const link = starting.use(await startFaultProxy(port, otherAddresses()));
    const beside = starting.use(await startFaultProxy(cluster.port));
    const tokenFile = await joinByAgent(fleet, name);
    const kubeconfig = cluster.kubeconfig.replace(cluster.url, `https://127.0.0.1:${beside.port}`);
    const startAgent: FaultyMember['startAgent'] = async (more = {}) => {
      const server = `https://127.0.0.1:${link.port}`;
      const trust = ['--certificate-authority', join(fleet.product.dataDir, 'pki/ca.crt')];
      const agent = agents.use(await startAgentProcess({ tokenFile, kubeconfig, server, flags: trust, ...more }));
      await agent.connected(bothConnections);
      return agent;
    };
    entries.push([name, { name, cluster, link, beside, startAgent }]);
  }
  const running = starting.move();
  return {
    fleet,
    members: Object.fromEntries(entries) as Record<Name, FaultyMember>,
    api,
    async condition(name, type) {
      const { status } = await fleet.controlPlane.get<{ status?: { conditions?: Condition[] } }>(
        `${clustersPath}/${name}`,
      );
      return status?.conditions?.find((one) => one.type === type);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Returns after how many milliseconds. */
export async function untilCondition<Name extends string>(
  { condition }: FaultyFleet<Name>,
  name: Name,
  type: string,
  status: 'True' | 'False',
  timeout = 60_000,
): Promise<number> {
  const begun = performance.now();
  const isIt = async () => (await condition(name, type))?.status === status;
  await until(`${type} of ${name} is ${status}`, isIt, { timeout, every: 100 });
  return performance.now() - begun;
}

export const untilReady = <Name extends string>(fleet: FaultyFleet<Name>, name: Name): Promise<number> =>
  untilCondition(fleet, name, 'Ready', 'True');
