/** Starts the embedded API server in a process, and kubectl against it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AdmissionName } from '@fleet/apiserver/admission/admission.ts';
import { type Kubectl, type KubectlOptions, type KubectlResult, runKubectl, startKubectl } from '@fleet/bed/kubectl.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

const program = fileURLToPath(new URL('./api-server.ts', import.meta.url));

export interface StartOptions {
  mutant?: Mutant | undefined;
  /** Another that listens in the same way. */
  program?: string;
  nodeFlags?: readonly string[];
  /** The admission plugins that it has, if not those of a control plane. */
  admission?: readonly AdmissionName[];
}

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
  static start(folder: string, mutant?: Mutant): Promise<ServerProcess> {
    return ServerProcess.startAs(folder, { mutant });
  }

  static async startAs(folder: string, options: StartOptions): Promise<ServerProcess> {
    const planted = options.mutant ? asMutant(options.mutant) : { nodeFlags: [], env: {} };
    const flags = [...planted.nodeFlags, ...(options.nodeFlags ?? [])];
    mkdirSync(join(folder, 'data'), { recursive: true });
    const child = spawn(
      process.execPath,
      [...flags, options.program ?? program, join(folder, 'data'), ...(options.admission ?? [])],
      {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: { ...process.env, ...planted.env },
      },
    );
    for await (const line of createInterface(child.stdout!)) {
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

  /** What the process answers to any message, if it does. */
  async asked<Answer>(): Promise<Answer> {
    const answer = once(this.#child, 'message');
    this.#child.send('?');
    const [received] = (await answer) as [Answer];
    return received;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasEnded) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}
