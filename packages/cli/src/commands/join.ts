/** `fleet join`: registers a cluster as a member. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { checkClusterName } from '../cluster-name.ts';
import { secondsOrDurationOf } from '../duration-flag.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { interruption } from '../interruption.ts';
import { join } from '../join/join.ts';
import { type KindsFlags, kindsIn } from '../join/kinds.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';
import { runJoinAgent } from './join-agent.ts';
import { runJoinMany } from './join-many.ts';

export interface JoinFlags extends KindsFlags {
  fleetKubeconfig?: string;
  kubeconfig?: string;
  agent?: boolean;
  tokenFile?: string;
  endpoint?: string;
  context?: string;
  contexts?: string;
  bindAdmins: boolean;
  region?: string;
  provider?: string;
  wait: boolean;
  timeout: string;
}

export async function runJoin(name: string | undefined, flags: JoinFlags): Promise<void> {
  if (flags.contexts !== undefined) return runJoinMany(name, flags.contexts, flags);
  if (name === undefined) throw new UsageError('name the member, or several contexts with --contexts a,b,c');
  checkClusterName(name);
  if (flags.agent) return runJoinAgent(name, flags);
  const { kubeconfig } = flags;
  if (!kubeconfig)
    throw new UsageError(
      'name a kubeconfig of the member with --kubeconfig, or --agent for one that the fleet cannot reach',
    );
  if (flags.tokenFile !== undefined || flags.endpoint !== undefined)
    throw new UsageError('--token-file and --endpoint are for --agent');
  const timeout = secondsOrDurationOf('--timeout', flags.timeout);
  const kinds = kindsIn(flags);
  const endpoint = await loadEndpoint(kubeconfig, flags.context);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  await using upstream = PatientUpstream.to(endpoint);
  using interrupted = interruption();
  const progress = new Progress();
  progress.print(`Joining ${name} to the fleet at ${fleet.root.url}`);
  await join(
    { ...flags, ...kinds, name, endpoint, readyWithin: flags.wait ? timeout : 0 },
    {
      member: new KubeClient(upstream, 'fleet-cli'),
      controlPlane: fleet.client('karmada'),
      progress,
      signal: interrupted.signal,
    },
  );
  progress.print(`${name} is in the fleet.`);
}
