/** Starts a simulated cluster in a process of its own, so that a bug can be planted in it. */

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Child } from '@fleet/bed/child.ts';
import type { Member } from '@fleet/bed/member.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

export interface SimulatedProcess extends AsyncDisposable {
  /** With the permissions of an administrator. */
  kubeconfig: string;
}

const program = fileURLToPath(new URL('simulated-cluster-main.ts', import.meta.url));

/** It ends with the member at the latest, in whose folder its log is. */
export async function startSimulated({ dir, run }: Member, mutant?: Mutant): Promise<SimulatedProcess> {
  const { nodeFlags, env } = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const child = new Child({
    name: mutant ? 'simulated-mutant' : 'simulated',
    path: process.execPath,
    args: [...nodeFlags, program],
    folder: dir,
    run,
    env,
    stdout: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), child.ended]);
  if (first instanceof Error || first.done) throw await child.ended;
  return {
    kubeconfig: JSON.parse(first.value) as string,
    [Symbol.asyncDispose]: () => child.end('SIGTERM'),
  };
}
