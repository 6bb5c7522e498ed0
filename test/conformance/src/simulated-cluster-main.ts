/** A simulated cluster as a process: writes its kubeconfig to standard output and lives until it is killed. */

import { startCluster } from '@fleet/simulator/start-cluster.ts';

const cluster = await startCluster({
  name: 'simulated',
  // As in the demo. The longest sleep of a spec, 300 seconds, has to outlast a schedule of a minute.
  factor: 3,
  onError: (error) => console.error(error),
});
process.stdout.write(`${JSON.stringify(cluster.kubeconfig)}\n`);
