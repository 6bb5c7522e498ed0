/** The two clusters: Kubernetes on the bed, and a simulated one in a process of its own. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '@fleet/bed/child.ts';
import { clear } from '@fleet/bed/clear.ts';
import { asEmbedded } from '@fleet/bed/control-plane.ts';
import { startMember } from '@fleet/bed/member.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { releaseRun, watchRun } from '@fleet/bed/watched.ts';
import { ComparedCluster } from './compared-cluster.ts';
import { pool } from './scripts/disruptions.ts';

/** Of both clusters: nodes are named after it, and messages name nodes. */
const name = 'scripts';
const nodes = 4;

export interface RunningCluster extends AsyncDisposable {
  cluster: ComparedCluster;
  /** What it reported to nobody else. */
  errors(): Promise<string[]>;
}

/** In one zone, as endpoints show it, and some of them for one script alone. */
async function prepareNodes(cluster: ComparedCluster): Promise<void> {
  const place = ['topology.kubernetes.io/region=local', 'topology.kubernetes.io/zone=local-a'];
  const commands = [
    ['label', 'nodes', '--all', '--overwrite', ...place],
    ['label', 'nodes', ...pool, 'pool=own'],
    ['taint', 'nodes', ...pool, 'pool=own:NoSchedule'],
  ];
  for (const args of commands) {
    const { code, stderr } = await cluster.kubectl('default', args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  }
}

export async function startReal(): Promise<RunningCluster> {
  await using starting = new AsyncDisposableStack();
  const member = starting.use(
    await startMember({
      name,
      nodes,
      extraApiserverFlags: asEmbedded,
      // A simulated cluster has no autoscaler.
      controllers: ['*', '-horizontal-pod-autoscaler-controller'],
    }),
  );
  const place = { kubeconfig: member.directKubeconfig, folder: member.dir, run: member.run };
  const cluster = starting.use(await ComparedCluster.connect(place));
  await prepareNodes(cluster);
  const running = starting.move();
  return { cluster, errors: async () => [], [Symbol.asyncDispose]: () => running.disposeAsync() };
}

export async function startSimulated(seed: number, mutant?: Mutant): Promise<RunningCluster> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bed-scripts-'));
  await mkdir(join(folder, 'logs'));
  const run = randomUUID();
  watchRun(run, folder);
  starting.defer(async () => {
    await clear(run, folder);
    releaseRun(run);
  });
  const kubeconfig = join(folder, 'kubeconfig');
  const { nodeFlags, env } = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const program = join(import.meta.dirname, 'simulated-cluster.ts');
  const args = [...nodeFlags, program, name, String(nodes), String(seed), kubeconfig];
  const child = new Child({ name: 'simulated', path: process.execPath, args, folder, run, env });
  await until('the simulated cluster is ready', () => existsSync(kubeconfig), { failed: child.ended });
  const cluster = starting.use(await ComparedCluster.connect({ kubeconfig, folder, run }));
  await prepareNodes(cluster);
  const running = starting.move();
  return {
    cluster,
    errors: async () => (await readFile(child.logPath, 'utf8')).split('\n').filter((line) => line.startsWith('ERROR')),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
