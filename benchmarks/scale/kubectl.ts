/** What kubectl shows of a fleet with many members, held against what there is. */

import { kubernetes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { runKubectl } from '@fleet/bed/kubectl.ts';
import type { Fleet } from './fleet.ts';

export interface Shown {
  seconds: number;
  /** Of each line but the first, its columns. */
  rows: string[][];
}

export async function startKubectl({ product, kubeconfig }: Fleet): Promise<(...args: string[]) => Promise<Shown>> {
  await build([kubernetes('kubectl')]);
  const { folder, run } = product.spec;
  return async (...args) => {
    const begun = performance.now();
    const { code, stdout, stderr } = await runKubectl({ version: 'newest', kubeconfig, folder, run }, args);
    // A warning means that something is missing.
    if (code !== 0 || stderr !== '') throw new Error(`kubectl ${args.join(' ')}: exit code ${code}\n${stderr}`);
    const rows = stdout.trimEnd().split('\n').slice(1);
    return { seconds: (performance.now() - begun) / 1_000, rows: rows.map((row) => row.split(/\s+/)) };
  };
}

/** All members are there and Ready. */
export function checkReady({ rows }: Shown, members: readonly string[]): void {
  const ready = new Set(rows.filter(([, ...columns]) => columns.includes('True')).map(([name]) => name));
  const missing = members.filter((name) => !ready.has(name));
  if (missing.length > 0) throw new Error(`${missing.length} members are not Ready, such as ${missing[0]}`);
  if (rows.length > members.length)
    throw new Error(`${rows.length - members.length} members are listed that nobody joined`);
}

/** Every pod that was made is there, once, and no other of the namespace. */
export function checkPods({ rows }: Shown, members: readonly string[], pods: number): void {
  const names = new Set(rows.map(([, name]) => name!));
  if (names.size !== rows.length) throw new Error(`${rows.length - names.size} pods are listed twice`);
  for (const member of members) {
    for (let index = 0; index < pods; index++) {
      const name = `load-${String(index).padStart(6, '0')}.clusterspace.${member}`;
      if (!names.delete(name)) throw new Error(`${name} is not listed`);
    }
  }
  if (names.size > 0) throw new Error(`${names.size} pods are listed that nobody made, such as ${[...names][0]}`);
}
