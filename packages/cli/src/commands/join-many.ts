/** `fleet join --contexts a,b,c`: registers the clusters of several contexts of one kubeconfig. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { secondsOrDurationOf } from '../duration-flag.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { interruption } from '../interruption.ts';
import { join } from '../join/join.ts';
import { joinEach, namedContexts } from '../join/join-each.ts';
import { kindsIn } from '../join/kinds.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';
import type { JoinFlags } from './join.ts';

export async function runJoinMany(name: string | undefined, contexts: string, flags: JoinFlags): Promise<void> {
  const { kubeconfig } = flags;
  if (name !== undefined) throw new UsageError(`--contexts names the members: "${name}" is one name too many`);
  if (flags.context !== undefined) throw new UsageError('--context and --contexts exclude each other');
  if (flags.agent || flags.tokenFile !== undefined || flags.endpoint !== undefined) {
    throw new UsageError('--contexts is not for members behind agents: each of them has a token of its own');
  }
  if (!kubeconfig) throw new UsageError('name the kubeconfig that has these contexts with --kubeconfig');
  const readyWithin = flags.wait ? secondsOrDurationOf('--timeout', flags.timeout) : 0;
  const kinds = kindsIn(flags);
  const members = namedContexts(contexts);
  // A context that does not exist is reported before any cluster is changed.
  const endpoints = new Map(
    await Promise.all(members.map(async (one) => [one.name, await loadEndpoint(kubeconfig, one.context)] as const)),
  );
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  using interrupted = interruption();
  const { signal } = interrupted;
  const controlPlane = fleet.client('karmada');
  const progress = new Progress();
  progress.print(`Joining ${members.length} clusters to the fleet at ${fleet.root.url}`);
  await joinEach(members, {
    progress,
    signal,
    async joinOne({ name }, parts) {
      const endpoint = endpoints.get(name)!;
      await using upstream = PatientUpstream.to(endpoint);
      const member = new KubeClient(upstream, 'fleet-cli');
      // Awaited here: the connection is closed after it.
      return await join(
        { ...flags, ...kinds, name, endpoint, readyWithin },
        { ...parts, member, controlPlane, signal },
      );
    },
  });
  progress.print(`All ${members.length} are in the fleet.`);
}
