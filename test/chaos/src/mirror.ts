/** A controller over the fleet that keeps copies of objects in every other cluster, and whether it has done its work. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { binaryPath, mirror } from '@fleet/bed/binaries.ts';
import type { ChaosFleet } from './fleet.ts';

interface Labelled {
  metadata: { name: string; labels: { mirror: 'true' | 'copy' } };
  data?: Record<string, string>;
}

const labelled = '/api/v1/namespaces/default/configmaps?labelSelector=mirror';

export class Mirror implements AsyncDisposable {
  readonly #fleet: ChaosFleet;
  readonly #child: ChildProcessByStdio<Writable, null, Readable>;
  #stderr = '';

  constructor(fleet: ChaosFleet) {
    this.#fleet = fleet;
    const clusters = fleet.members.map(({ name }) => name).join(',');
    const args = ['-kubeconfig', fleet.product.adminKubeconfig, '-clusters', clusters];
    this.#child = spawn(binaryPath(mirror), args, { stdio: ['pipe', 'ignore', 'pipe'] });
    this.#child.stderr.on('data', (data) => {
      this.#stderr = (this.#stderr + data).slice(-20_000);
    });
  }

  /** How the copies differ from what they should be; as the members themselves have them. */
  async inconsistencies(): Promise<string[]> {
    if (this.#child.exitCode !== null) throw new Error(`the controller has ended:\n${this.#stderr}`);
    const expected = new Map<string, string>();
    const found = new Map<string, string>();
    const { members } = this.#fleet;
    const lists = await Promise.all(members.map(({ api }) => api.object<{ items: Labelled[] }>(labelled)));
    lists.forEach(({ items }, index) => {
      const home = members[index]!.name;
      for (const { metadata, data } of items) {
        const content = JSON.stringify(data ?? {});
        if (metadata.labels.mirror === 'copy') found.set(`${metadata.name}@${home}`, content);
        else
          for (const { name } of members)
            if (name !== home) expected.set(`${metadata.name}-of-${home}@${name}`, content);
      }
    });
    const names = new Set([...expected.keys(), ...found.keys()]);
    return [...names]
      .filter((name) => expected.get(name) !== found.get(name))
      .map((name) => `${name} is ${found.get(name)} instead of ${expected.get(name)}`);
  }

  /** Ends it. Throws if it did not end well, as after a data race. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the controller ended with ${code}:\n${this.#stderr}`);
  }
}
