/** Waits until the fleet reports a member ready. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { type Cluster, clustersPath, conditionOf } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { poll } from '../poll.ts';

interface ReadyOptions {
  name: string;
  /** In milliseconds. */
  within: number;
  controlPlane: KubeClient;
  signal: AbortSignal;
}

/** Waits until the fleet itself has reached the member; returns the version it saw. */
export async function untilReady({ name, within, controlPlane, signal }: ReadyOptions): Promise<string> {
  let last: Cluster | undefined;
  await poll(
    async () => {
      last = await controlPlane.get<Cluster>(`${clustersPath}/${name}`, signal);
      return conditionOf(last, 'Ready')?.status === 'True' ? true : undefined;
    },
    { deadline: within, signal, late: () => notReady(last, within) },
  );
  return last?.status?.kubernetesVersion ?? 'ready';
}

function notReady(cluster: Cluster | undefined, within: number): Error {
  const condition = cluster && conditionOf(cluster, 'Ready');
  const report = condition
    ? `its condition Ready is ${condition.reason}: ${condition.message}`
    : 'it has no condition Ready';
  return new HintedError(
    `the fleet did not report the member ready within ${within / 1000} s; ${report}`,
    `Check that the fleet can reach ${cluster?.spec.apiEndpoint}, or register it all the same with --wait=false`,
  );
}
