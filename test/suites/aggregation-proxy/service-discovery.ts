/** The controller of the aggregation proxy proposal's first story, in a process of its own: which routes it has made. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { binaryPath, serviceDiscovery } from '@fleet/bed/binaries.ts';
import { endpoint } from './scene.ts';

interface Line {
  pod: string;
  /** None: the route was removed. */
  address?: string;
  uid?: string;
}

export class ServiceDiscovery implements AsyncDisposable {
  /** All changes, in their order. */
  readonly lines: Line[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #stderr = '';

  /** `isWatchList`: client-go's feature gate, by which a reflector gets the initial list. */
  constructor(kubeconfig: string, selector: string, isWatchList: boolean) {
    const args = ['-kubeconfig', kubeconfig, '-at', endpoint, '-selector', selector];
    this.#child = spawn(binaryPath(serviceDiscovery), args, {
      env: { ...process.env, KUBE_FEATURE_WatchListClient: String(isWatchList) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr.on('data', (data) => {
      this.#stderr = (this.#stderr + data).slice(-20_000);
    });
    createInterface(this.#child.stdout).on('line', (text) => this.lines.push(JSON.parse(text) as Line));
  }

  /** As `default/nginx-1`, of now. */
  routes(): string[] {
    if (this.#child.exitCode !== null) throw new Error(`the controller has ended:\n${this.#stderr}`);
    const now = new Set<string>();
    for (const { pod, address } of this.lines) {
      if (address === undefined) now.delete(pod);
      else now.add(pod);
    }
    return [...now].sort();
  }

  /** What it logged of errors. That a pod changed meanwhile is none: it comes again. */
  errors(): string[] {
    const lines = this.#stderr.split('\n').filter((line) => /"level":"error"|panic|DATA RACE/.test(line));
    return lines.filter((line) => !line.includes('the object has been modified'));
  }

  /** Ends it. Throws if it did not end well, as after a data race. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the controller ended with ${code}:\n${this.#stderr}`);
  }
}
