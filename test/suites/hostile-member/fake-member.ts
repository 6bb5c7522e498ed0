/**
 * A member that is no cluster, in a process of its own: whoever measures, and the other member, do not wait for it. It answers just
 * as much as the product asks for, or misbehaves as it is ordered.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Authority, Pair } from '@fleet/bed/pki.ts';
import type { Conduct } from './behaviours.ts';

/** The first message to the process; its answer is its URL. */
export type Identity = Pair;

export interface Order {
  conduct: Conduct;
  /** What a request to change protocols gets; none: its connection is closed. */
  upgradeAnswer?: string | undefined;
}

const program = fileURLToPath(new URL('member-process.ts', import.meta.url));

export class FakeMember implements AsyncDisposable {
  readonly name: string;
  readonly url: string;
  private readonly process: ChildProcess;

  private constructor(name: string, url: string, process: ChildProcess) {
    this.name = name;
    this.url = url;
    this.process = process;
  }

  static async start(name: string, authority: Authority): Promise<FakeMember> {
    const { cert, key } = await authority.issue({ name, ips: ['127.0.0.1'] });
    const process = fork(program, { execArgv: [] });
    process.send({ cert, key } satisfies Identity);
    const [url] = (await once(process, 'message')) as [string];
    return new FakeMember(name, url, process);
  }

  /** From the next request on. */
  async behave(conduct: Conduct, upgradeAnswer?: string): Promise<void> {
    this.process.send({ conduct, upgradeAnswer } satisfies Order);
    await once(this.process, 'message');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.disconnect();
    await ended;
  }
}
