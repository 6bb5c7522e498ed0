/** A `fleet agent` process beside a member, where its log is, and what it has carried. It ends with the member at the latest. */

import { randomUUID } from 'node:crypto';
import { Child } from '../child.ts';
import type { Member } from '../member.ts';
import { freePort, givePortBack } from '../ports.ts';
import { until } from '../until.ts';
import { type Carried, carriedIn } from './carried.ts';

export interface BedAgentOptions {
  /** Path of the `fleet` command. */
  command: string;
  member: Member;
  /** Of the fleet, for agents. */
  server: string;
  tokenFile: string;
  /** More flags of `fleet agent`. */
  flags?: readonly string[];
}

export class BedAgent implements AsyncDisposable {
  readonly #child: Child;
  readonly #port: number;

  private constructor(child: Child, port: number) {
    this.#child = child;
    this.#port = port;
  }

  static async start({ command, member, server, tokenFile, flags = [] }: BedAgentOptions): Promise<BedAgent> {
    const port = await freePort();
    // A name that witnesses know as one of the bed's own: what the agent itself asks is not what the product asks.
    const kubeconfig = await member.userKubeconfig('bed:agent', ['system:masters']);
    const where = ['--server', server, '--token-file', tokenFile, '--kubeconfig', kubeconfig];
    const child = new Child({
      name: `fleet-agent-${randomUUID().slice(0, 8)}`,
      path: process.execPath,
      args: [command, 'agent', ...where, '--metrics-listen', `127.0.0.1:${port}`, ...flags],
      folder: member.dir,
      run: member.run,
      env: { HTTPS_PROXY: '', https_proxy: '' },
    });
    return new BedAgent(child, port);
  }

  get isRunning(): boolean {
    return this.#child.running;
  }

  /** Both of its connections have logged in. */
  async untilConnected(): Promise<void> {
    const isReady = async () => (await fetch(`http://127.0.0.1:${this.#port}/readyz`)).ok;
    await until('the agent is connected to the fleet', isReady, { failed: this.#child.ended });
  }

  /** Since it was started. */
  async carried(): Promise<Carried> {
    return carriedIn(await (await fetch(`http://127.0.0.1:${this.#port}/metrics`)).text());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.end('SIGKILL');
    givePortBack(this.#port);
  }
}
