/** A member as a process that is started where nobody outside reaches it: writes its kubeconfig to standard output, and ends at SIGTERM. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { startMember } from '@fleet/bed/member.ts';
import { startCluster } from '@fleet/simulator/start-cluster.ts';

async function start(kind: string | undefined): Promise<AsyncDisposable & { kubeconfig: string }> {
  const name = 'inner';
  if (kind === 'simulated') return startCluster({ name, factor: 100, onError: (error) => console.error(error) });
  const member = await startMember({ name, nodes: 1 });
  const kubeconfig = await readFile(member.kubeconfig, 'utf8');
  return { kubeconfig, [Symbol.asyncDispose]: () => member[Symbol.asyncDispose]() };
}

// The mark of whoever started this process ends all that carry it; what clears up after a member must not be among them.
delete process.env['FLEET_BED_RUN'];
await using member = await start(process.argv[2]);
process.stdout.write(`${JSON.stringify(member.kubeconfig)}\n`);
await once(process, 'SIGTERM');
