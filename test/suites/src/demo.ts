/** `fleet demo` as people start it, in a process of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

export interface RunningDemo extends AsyncDisposable {
  /** The one that it prints for export. */
  kubeconfig: string;
}

const command = join(import.meta.dirname, '../../../packages/cli/src/fleet.mjs');

export async function startDemo(mutant?: Mutant): Promise<RunningDemo> {
  const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const child = spawn(process.execPath, [...planted.nodeFlags, command, 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...planted.env },
  });
  const ended = once(child, 'exit');
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    const [, kubeconfig] = /^export KUBECONFIG=(.+)$/.exec(line) ?? [];
    if (kubeconfig) resolve(kubeconfig);
  });
  const kubeconfig = await Promise.race([
    promise,
    ended.then(([code]) => Promise.reject(new Error(`fleet demo ended with ${code}`))),
  ]);
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
