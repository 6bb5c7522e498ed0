/** A fleet under attack: mordor, whose token the attacker has, and rohan, which is to be served all the time. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileAgent } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { type Heap, heapFlags, openHeap } from '@fleet/bed/heap.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { giveToken, joinThroughAgent } from '../agent-member.ts';
import { type SimulatedFleet, startFleet } from '../fleet.ts';
import { requestAs } from '../request.ts';
import { type Attack, type Flags, startAttack } from './go-agent.ts';

const longestAttack = 90_000;

export interface AuditEvent {
  stage: string;
  cluster?: string;
  what?: string;
  from: string;
  /** How many failures the line stands for. */
  count?: number;
}

export interface Scene extends AsyncDisposable {
  fleet: SimulatedFleet;
  admin: KubeConfig;
  mordor: SimulatedCluster;
  rohan: SimulatedCluster;
  /** Of mordor; the attacker's. */
  token: AgentToken;
  heap: Heap;
  folder: string;
  /** A bug in the agent's program. */
  agentMutant?: Mutant | undefined;
  /** As an agent of mordor, unless the flags differ. */
  start(attack: string, flags?: Flags): Attack;
  /** Until it has ended. */
  attack(attack: string, flags?: Flags): Promise<Attack>;
  /** What the audit log has of agents. */
  audited(): Promise<AuditEvent[]>;
  status(cluster: string, path?: string): Promise<number>;
}

/** With its agent, which keeps to the rules. */
async function joinedThrough(fleet: SimulatedFleet, name: string): Promise<[SimulatedCluster, AsyncDisposable]> {
  const cluster = await startCluster({ name, onError: (error) => console.error(error) });
  fleet.members.set(name, cluster);
  return [cluster, await joinThroughAgent(fleet, cluster, name)];
}

/** A bug of the tunnel's client is one of the agent's program. */
const isOfAgent = ({ file }: Mutant): boolean => /(client-connection\.ts|ssh2\/lib\/client\.js)$/.test(file);

export async function startScene(planted?: Mutant): Promise<Scene> {
  const agentMutant = planted && isOfAgent(planted) ? planted : undefined;
  const mutant = agentMutant ? undefined : planted;
  await build([hostileAgent]);
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-hostile-'));
  starting.defer(() => rm(folder, { recursive: true }));
  const log = join(folder, 'audit.log');
  const options = { flags: ['--audit-log', log], nodeFlags: heapFlags, ...(mutant ? { mutant } : {}) };
  const fleet = starting.use(await startFleet({ members: [], ...options }));
  const [[mordor, agent], [rohan, rohans]] = await Promise.all([
    joinedThrough(fleet, 'mordor'),
    joinedThrough(fleet, 'rohan'),
  ]);
  starting.use(rohans);
  await agent[Symbol.asyncDispose]();
  const token = await giveToken(fleet, 'mordor', 'hash-2');
  const admin = await fleet.config();
  const heap = starting.use(await openHeap(fleet.product));
  const { host } = new URL(fleet.product.url);
  let started = 0;
  // Each from an address of its own: one has ten connections a second, and one audit line for each reason.
  const start = (attack: string, flags: Flags = {}) =>
    startAttack(attack, {
      address: host,
      from: `127.0.100.${++started}`,
      user: 'mordor',
      secret: token.secret,
      ...flags,
    });
  const running = starting.move();
  return {
    fleet,
    admin,
    mordor,
    rohan,
    token,
    heap,
    folder,
    agentMutant,
    start,
    async attack(name, flags) {
      const attack = start(name, flags);
      // What is never answered must not keep a suite from its end.
      const late = setTimeout(() => attack[Symbol.asyncDispose](), longestAttack);
      await attack.ended;
      clearTimeout(late);
      return attack;
    },
    async audited() {
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"stage":"Agent'));
      return lines.map((line) => JSON.parse(line) as AuditEvent);
    },
    status: async (cluster, path = '/version') => (await requestAs(admin, `/clusters/${cluster}${path}`)).status,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
