/** With FLEET_BED_AGENTS=1 every member of a suite is registered with connection type proxy, and served by an agent (AGENT-11). */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { connectionsTo } from '../connection-owner.ts';
import type { KubectlResult } from '../kubectl.ts';
import type { Member } from '../member.ts';
import { until } from '../until.ts';
import { BedAgent } from './bed-agent.ts';
import type { Carried, Tally } from './carried.ts';

export const areAgentsUsed = process.env['FLEET_BED_AGENTS'] === '1';

interface Joined {
  member: Member;
  /** Of `fleet agent`. */
  flags: readonly string[];
}

/** By name, of each control plane: one more product on it reaches them through agents, too. */
const joined = new WeakMap<Member, Map<string, Joined>>();
/** By the address that they dial and the name: a product that is started again at its address finds them there. */
const running = new Map<string, { member: string; agent: BedAgent }>();
const carried = new Map<BedAgent, { member: string; carried: Carried }>();
const direct: string[] = [];

/** Of all products of a suite. */
export const allCarried = (): Tally => ({ agents: [...carried.values()], direct });

export interface ProductAgentsOptions {
  /** Path of the `fleet` command. */
  command: string;
  controlPlane: Member;
  server: string;
  pid: number;
  /** Both as its admin. */
  product: Api;
  /** At the control plane. */
  api: Api;
  fleet(...args: string[]): Promise<KubectlResult>;
  /** Its agents go on after it: it may be started again there. */
  hasFixedAddress: boolean;
}

interface Cluster {
  metadata: { annotations?: Record<string, string> };
  status?: { conditions?: { type: string; status: string }[] };
}

/** What `fleet join --agent` does not take, since it is about the member's side. */
const ofAgent = new Map([
  ['--cache-kinds', 2],
  ['--no-bind-admins', 1],
]);

function split(flags: readonly string[]): Record<'join' | 'agent', string[]> {
  const parts: Record<'join' | 'agent', string[]> = { join: [], agent: [] };
  for (let at = 0; at < flags.length; ) {
    const length = ofAgent.get(flags[at]!) ?? 0;
    parts[length > 0 ? 'agent' : 'join'].push(...flags.slice(at, at + (length || 1)));
    at += length || 1;
  }
  return parts;
}

export class ProductAgents {
  readonly #options: ProductAgentsOptions;

  constructor(options: ProductAgentsOptions) {
    this.#options = options;
  }

  /** Ready when this returns. */
  async join(member: Member, name: string, all: readonly string[]): Promise<void> {
    const { controlPlane } = this.#options;
    const flags = split(all);
    await this.#end(this.#key(name));
    // The token of an earlier join went with its Cluster.
    const tokenFile = await this.#token(member, 'join', name, '--agent', ...flags.join);
    joined.set(controlPlane, (joined.get(controlPlane) ?? new Map()).set(name, { member, flags: flags.agent }));
    await this.#start(name, tokenFile);
    const isReady = async () => {
      const { status } = await this.#options.api.object<Cluster>(pathOf(name));
      return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    };
    await until(`${name} is ready`, isReady, { every: 100 });
  }

  /**
   * Of members that were joined before this product was started. Connected when this returns; and the product knows it, unless members
   * may be unreachable.
   */
  async startAll({ allowsUnreachable }: { allowsUnreachable: boolean }): Promise<void> {
    await Promise.all(
      [...this.#joined].map(async ([name, { member }]) => {
        const { code, body } = await this.#options.api.ask(pathOf(name));
        // Removed since.
        if (code === 404) return;
        if (!running.get(this.#key(name))?.agent.isRunning) {
          await this.#start(name, await this.#token(member, 'agent', 'token', 'rotate', name));
        }
        const { metadata } = JSON.parse(body) as Cluster;
        // Of one that is not active no agent is let in (AGENT-9).
        if (metadata.annotations?.['cluster.kubesphere.io/active'] === 'false') return;
        await running.get(this.#key(name))!.agent.untilConnected();
        const isReached = async () => (await this.#options.product.ask(`/clusters/${name}/version`)).code === 200;
        if (!allowsUnreachable) await until(`the product reaches ${name}`, isReached, { every: 100 });
      }),
    );
  }

  /** What went through them, and what went past them, before the product ends. */
  async tally(isRunning: boolean): Promise<void> {
    const { pid, server } = this.#options;
    for (const [name, { member }] of this.#joined) {
      await this.#count(running.get(this.#key(name)));
      if (!isRunning) continue;
      for (const port of new Set([member.server, member.directServer].map((url) => Number(new URL(url).port)))) {
        const open = await connectionsTo(pid, port);
        if (open > 0) direct.push(`the product at ${server} has ${open} connections to ${name} itself, port ${port}`);
      }
    }
  }

  async end(): Promise<void> {
    if (this.#options.hasFixedAddress) return;
    for (const name of this.#joined.keys()) await this.#end(this.#key(name));
  }

  get #joined(): ReadonlyMap<string, Joined> {
    return joined.get(this.#options.controlPlane) ?? new Map();
  }

  #key(name: string): string {
    return `${this.#options.server} ${name}`;
  }

  /** Runs a command that writes a token, and returns the file. */
  async #token({ dir }: Member, ...args: string[]): Promise<string> {
    const file = join(dir, `agent-${randomUUID()}.token`);
    const { code, stderr } = await this.#options.fleet(...args, '--token-file', file);
    if (code !== 0) throw new Error(`fleet ${args.join(' ')}: exit code ${code}\n${stderr}`);
    return file;
  }

  async #start(name: string, tokenFile: string): Promise<void> {
    const { command, server } = this.#options;
    const { member, flags } = this.#joined.get(name)!;
    const agent = await BedAgent.start({ command, member, server, tokenFile, flags });
    running.set(this.#key(name), { member: name, agent });
    await agent.untilConnected();
  }

  async #end(key: string): Promise<void> {
    const known = running.get(key);
    running.delete(key);
    await this.#count(known);
    await known?.agent[Symbol.asyncDispose]();
  }

  async #count(known: { member: string; agent: BedAgent } | undefined): Promise<void> {
    if (!known?.agent.isRunning) return;
    carried.set(known.agent, { member: known.member, carried: await known.agent.carried() });
  }
}

const pathOf = (name: string): string => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;
