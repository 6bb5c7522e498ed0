/**
 * Many simulated clusters with agents on one server: how long until all are Ready, what the product takes for them, and how soon they
 * are back when it is started again; beside the same clusters joined directly. `BENCH_MEMBERS` makes it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '@fleet/bed/api.ts';
import { until } from '@fleet/bed/until.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import { clustersPath, giveToken, registerProxy } from '../test/simulated/src/agent-member.ts';
import type { AgentMembersCommands } from './agents/members.ts';
import { cpuTime, memoryOf } from './memory.ts';
import { type ChildProcess, startChildProcess } from './scale/child-process.ts';
import { type Fleet, startFleet } from './scale/fleet.ts';
import type { StartedMember } from './scale/members.ts';

const count = Number(process.env['BENCH_MEMBERS'] ?? 200);
/** What was needed for a start is given back within it, and members are probed. */
const settleMillis = 15_000;

type Members = ChildProcess<AgentMembersCommands>;

export async function benchAgents(): Promise<void> {
  console.log(`${cpus().length} cores, load ${load()}; ${count} members with one node each`);
  await using stack = new AsyncDisposableStack();
  const file = new URL('./agents/members.ts', import.meta.url).pathname;
  const members = stack.use(startChildProcess<AgentMembersCommands>(file));
  const names = Array.from({ length: count }, (_, index) => `member-${String(index).padStart(3, '0')}`);
  const started = await members.call('start', names);
  await directly(started);
  await throughAgents(members, names);
  console.log(`members and agents, one process: ${(await members.call('memory', undefined)).toFixed(0)} MiB`);
}

const load = (): string => loadavg()[0]!.toFixed(1);
const inSeconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);

async function directly(started: readonly StartedMember[]): Promise<void> {
  await using fleet = await startFleet();
  const empty = memoryOf(fleet.pid);
  const begun = performance.now();
  await fleet.join(started);
  console.log(`directly: joined and Ready in ${inSeconds(begun)} s`);
  await printAtRest('directly', fleet.pid, empty);
}

async function throughAgents(members: Members, names: readonly string[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await startFleet());
  const { server, product } = fleet;
  const endpoint = { ...(await loadEndpoint(fleet.kubeconfig)), url: `${server.url}/clusterspaces/karmada` };
  const controlPlane = new KubeClient(stack.use(new HttpsUpstream(endpoint)), 'bench');
  const empty = memoryOf(fleet.pid);
  const tokens: AgentToken[] = [];
  for (const name of names) {
    await registerProxy({ controlPlane }, name);
    tokens.push(await giveToken({ controlPlane }, name));
  }
  const begun = performance.now();
  await members.call('connect', { url: server.url, tokens });
  await untilConnected(fleet, names.length);
  const connected = inSeconds(begun);
  await untilReady(controlPlane, names);
  console.log(
    `through agents: all connected after ${connected} s, all Ready after ${inSeconds(begun)} s; load ${load()}`,
  );
  await printAtRest('through agents', fleet.pid, empty);
  await product.stop();
  const startMillis = await product.start();
  const again = performance.now();
  await untilConnected(fleet, names.length);
  console.log(
    `started again (ready in ${startMillis.toFixed(0)} ms): all agents are back ${inSeconds(again)} s later; aim 10 s; load ${load()}`,
  );
}

async function printAtRest(what: string, pid: number, empty: number): Promise<void> {
  await pause(settleMillis);
  const cpu = await cpuTime(pid, () => pause(settleMillis));
  const [now, share] = [memoryOf(pid), ((100 * cpu) / settleMillis).toFixed(1)];
  console.log(
    `${what}: memory of the product ${empty.toFixed(0)} MiB before, ${now.toFixed(0)} MiB after, ` +
      `${((1024 * (now - empty)) / count).toFixed(0)} KiB a cluster; with nothing to do ${share} % of a core; load ${load()}`,
  );
}

/** Both connections of each. */
async function untilConnected({ server }: Fleet, clusters: number): Promise<void> {
  using api = new Api(server.url, server.ca, server);
  const areThere = async () => {
    const { body } = await api.ask('/metrics');
    return body.split('\n').filter((line) => /^fleet_agent_connections\{.*\} 2$/.test(line)).length === clusters;
  };
  await until('all agents are connected', areThere, { timeout: 600_000, every: 100 });
}

interface Cluster {
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}

async function untilReady(controlPlane: KubeClient, names: readonly string[]): Promise<void> {
  const areReady = async () => {
    const { items } = await controlPlane.list<Cluster>(clustersPath);
    const ready = items.filter(({ status }) =>
      status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
    return ready.length === names.length;
  };
  await until('all are Ready', areReady, { timeout: 600_000, every: 250 });
}
