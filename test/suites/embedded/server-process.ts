/** Starts the embedded API server in a process, and kubectl against it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Kubectl, type KubectlOptions, type KubectlResult, runKubectl, startKubectl } from '@fleet/bed/kubectl.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

const program = fileURLToPath(new URL('./api-server.ts', import.meta.url));

export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #kubectl: { version: 'newest' | 'older'; kubeconfig: string; folder: string; run: string };

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
    const kubeconfig = join(folder, 'kubeconfig');
    const one = (kind: string, value: object) => [{ name: 'embedded', [kind]: value }];
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: one('cluster', { server: this.url }),
      users: one('user', {}),
      contexts: one('context', { cluster: 'embedded', user: 'embedded' }),
      'current-context': 'embedded',
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    this.#kubectl = { version: 'newest', kubeconfig, folder, run: randomUUID() };
  }

  /** The data directory is `data` in the folder. */
  static async start(folder: string, mutant?: Mutant): Promise<ServerProcess> {
    const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
    mkdirSync(join(folder, 'data'), { recursive: true });
    const child = spawn(process.execPath, [...planted.nodeFlags, program, join(folder, 'data')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...planted.env },
    });
    for await (const line of createInterface(child.stdout)) {
      const [, port] = /^listening on (\d+)$/.exec(line) ?? [];
      if (port) return new ServerProcess(child, Number(port), folder);
    }
    throw new Error('the server ended before it listened');
  }

  kubectl(...args: (string | KubectlOptions)[]): Promise<KubectlResult> {
    return runKubectl(this.#kubectl, args);
  }

  start(...args: string[]): Kubectl {
    return startKubectl(this.#kubectl, args);
  }

  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}
