/** `fleet join`: registers a cluster as a member. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { checkClusterName } from '../cluster-name.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { interruption } from '../interruption.ts';
import { parseCacheKinds } from '../join/cache-kinds.ts';
import { join } from '../join/join.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';

export interface JoinFlags {
  fleetKubeconfig?: string;
  kubeconfig: string;
  context?: string;
  bindAdmins: boolean;
  cacheKinds?: string;
  region?: string;
  provider?: string;
  wait: boolean;
  timeout: string;
}

export async function runJoin(name: string, flags: JoinFlags): Promise<void> {
  checkClusterName(name);
  const seconds = Number(flags.timeout);
  if (!(seconds > 0)) throw new UsageError(`--timeout takes a number of seconds, not "${flags.timeout}"`);
  const cacheKinds = flags.cacheKinds === undefined ? undefined : parseCacheKinds(flags.cacheKinds);
  const endpoint = await loadEndpoint(flags.kubeconfig, flags.context);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  await using upstream = PatientUpstream.to(endpoint);
  using interrupted = interruption();
  const progress = new Progress();
  progress.say(`Joining ${name} to the fleet at ${fleet.root.url}`);
  await join(
    { name, endpoint, ...flags, cacheKinds, readyWithin: flags.wait ? seconds * 1000 : 0 },
    {
      member: new KubeClient(upstream, 'fleet-cli'),
      controlPlane: fleet.client('karmada'),
      progress,
      signal: interrupted.signal,
    },
  );
  progress.say(`${name} is in the fleet.`);
}
