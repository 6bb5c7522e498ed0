/** One of two API servers that the same commands are given to, and one version of kubectl: with objects of its own. */

import type { Api } from '@fleet/bed/api.ts';
import { type KubectlOptions, type KubectlResult, runKubectl } from '@fleet/bed/kubectl.ts';
import { pathOf, type versions } from '../cell.ts';
import { objectsNamed } from '../objects.ts';
import { commandsOf, placedOptions, type Row } from '../row.ts';

export interface Reached {
  kubeconfig: string;
  api: Api;
  /** Where kubectl may keep what it knows. */
  dir: string;
  run: string;
}

export class Side {
  readonly version: (typeof versions)[number];
  readonly #reached: Reached;

  constructor(version: (typeof versions)[number], reached: Reached) {
    this.version = version;
    this.#reached = reached;
  }

  own(base: string): string {
    return `${base}-${this.version}`;
  }

  /** A command of the table with its names filled in. Labels that choose clusters mean nothing in one. */
  filled(text: string): string {
    const placed = text.replaceAll(/,?clusterspace=m1|,"clusterspace":"m1"/g, '').replaceAll('{id}', this.version);
    return placed.replaceAll('{namespace}', 'default').replaceAll(/\{([a-z]+)\}/g, (_, base: string) => this.own(base));
  }

  async seed(): Promise<void> {
    const node = { spec: {}, status: { capacity: { cpu: '4', memory: '8Gi', pods: '10' } } };
    for (const [kind, base, rest] of [...objectsNamed((base) => this.own(base)), ['v1/nodes', 'node', node] as const]) {
      const metadata = { name: this.own(base), labels: { cell: this.version, of: base } };
      await this.#reached.api.object(pathOf(kind), { method: 'POST', body: { metadata, ...rest } });
    }
  }

  /** What the commands of a row print and how they end, one after the other. */
  async ran(row: Row): Promise<KubectlResult[]> {
    await using placed = await placedOptions(row, (text) => this.filled(text));
    const results: KubectlResult[] = [];
    for (const command of commandsOf(row)) {
      const words = command.split(' ').map((word) => this.filled(word));
      results.push(await this.#kubectl(words, placed.options));
    }
    return results;
  }

  #kubectl(args: readonly string[], options: KubectlOptions): Promise<KubectlResult> {
    const { kubeconfig, dir, run } = this.#reached;
    return runKubectl({ version: this.version, kubeconfig, folder: dir, run }, [...args, options]);
  }
}
