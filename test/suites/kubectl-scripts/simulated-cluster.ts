/** A process that is a simulated cluster, so that a bug can be planted in it: `node simulated-cluster.ts NAME NODES SEED KUBECONFIG`. */

import { rename, writeFile } from 'node:fs/promises';
import { startCluster } from '@fleet/simulator/start-cluster.ts';

/** Nodes of kwok take no time; those of a simulated cluster take little with this. */
const factor = 50;

const [name = '', nodes, seed, kubeconfig = ''] = process.argv.slice(2);
const cluster = await startCluster({
  name,
  nodes: Number(nodes),
  seed: Number(seed),
  factor,
  onError: (error) => console.error('ERROR', error),
});
// Whoever waits for the file finds all of it.
await writeFile(`${kubeconfig}.new`, cluster.kubeconfig, { mode: 0o600 });
await rename(`${kubeconfig}.new`, kubeconfig);
