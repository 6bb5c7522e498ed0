/** `fleet unjoin`: removes a member, and the objects of `fleet join` in it. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { Fleet } from '../fleet-location.ts';
import { unjoin } from '../join/unjoin.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';

export interface UnjoinFlags {
  fleetKubeconfig?: string;
  kubeconfig?: string;
  context?: string;
  force: boolean;
}

export async function runUnjoin(name: string, flags: UnjoinFlags): Promise<void> {
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const endpoint = flags.kubeconfig ? await loadEndpoint(flags.kubeconfig, flags.context) : undefined;
  await using upstream = endpoint && PatientUpstream.to(endpoint);
  const progress = new Progress();
  progress.print(`Taking ${name} out of the fleet at ${fleet.root.url}`);
  await unjoin(
    { name, force: flags.force },
    {
      member: upstream
        ? { by: 'kubeconfig', client: new KubeClient(upstream, 'fleet-cli'), url: endpoint.url }
        : { by: 'fleet', client: fleet.client(name) },
      controlPlane: fleet.client('karmada'),
      progress,
    },
  );
  progress.print(`${name} is no longer in the fleet.`);
}
