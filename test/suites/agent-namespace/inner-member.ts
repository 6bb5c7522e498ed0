/** A member that listens on loopback of a network namespace, and the agent beside it, whose only way out is a cable to the product. */

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Child } from '@fleet/bed/child.ts';
import { clear } from '@fleet/bed/clear.ts';
import { NetworkNamespace } from '@fleet/bed/network-namespace.ts';
import { fleetCommand } from '@fleet/bed/product.ts';
import { releaseRun, watchRun } from '@fleet/bed/watched.ts';

const program = fileURLToPath(new URL('member-main.ts', import.meta.url));

export type MemberKind = 'simulated' | 'real';

export class InnerMember implements AsyncDisposable {
  readonly folder: string;
  readonly namespace: NetworkNamespace;
  /** Of its API server, on loopback in the namespace. */
  readonly port: number;
  readonly kubeconfig: string;
  readonly #owned: AsyncDisposableStack;

  private constructor(
    parts: Pick<InnerMember, 'folder' | 'namespace' | 'port' | 'kubeconfig'>,
    owned: AsyncDisposableStack,
  ) {
    this.folder = parts.folder;
    this.namespace = parts.namespace;
    this.port = parts.port;
    this.kubeconfig = parts.kubeconfig;
    this.#owned = owned;
  }

  static async start(kind: MemberKind): Promise<InnerMember> {
    await using starting = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'fleet-namespace-'));
    const run = randomUUID();
    watchRun(run, folder);
    starting.defer(async () => {
      await clear(run, folder);
      releaseRun(run);
    });
    await mkdir(join(folder, 'logs'));
    const namespace = starting.use(await NetworkNamespace.make({ folder, run }));
    const args = [program, kind];
    const child = namespace.start({ name: 'member', path: process.execPath, args, stdout: true });
    starting.defer(() => child.end('SIGTERM'));
    const kubeconfig = join(folder, 'kubeconfig');
    const text = await firstLine(child);
    await writeFile(kubeconfig, text, { mode: 0o600 });
    const port = Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
    return new InnerMember({ folder, namespace, port, kubeconfig }, starting.move());
  }

  /** Dials the product by the cable. */
  startAgent(port: number, tokenFile: string): Child {
    const server = `https://${this.namespace.outside}:${port}`;
    const args = ['agent', '--server', server, '--token-file', tokenFile, '--kubeconfig', this.kubeconfig];
    const env = { HTTPS_PROXY: '', https_proxy: '' };
    return this.namespace.start({ name: 'fleet-agent', path: process.execPath, args: [fleetCommand, ...args], env });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }
}

async function firstLine(child: Child): Promise<string> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), child.ended]);
  if (first instanceof Error || first.done) throw await child.ended;
  return JSON.parse(first.value) as string;
}
