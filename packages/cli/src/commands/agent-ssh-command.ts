/** `fleet agent ssh-command`: prints how to use a stock ssh as the agent of a cluster. */

import { readIfThere } from '@fleet/client/private-file.ts';
import { type Agent, agentsPath } from '@fleet/server/members/agent.ts';
import { readHostKeys } from '../agent/host-keys.ts';
import { existingProxyCluster } from '../agent/proxy-cluster.ts';
import { serverOf } from '../agent/server-flag.ts';
import { stockSshScript } from '../agent/stock-ssh.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { get } from '../join/ensure.ts';

export interface SshCommandFlags {
  fleetKubeconfig?: string;
  server?: string;
  identityFile?: string;
  target: string;
}

export async function runAgentSshCommand(name: string, flags: SshCommandFlags): Promise<void> {
  if (!/^[A-Za-z0-9.\-:[\]]+:\d{1,5}$/.test(flags.target))
    throw new UsageError(`--target takes the host and port of the API server, not "${flags.target}"`);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  await existingProxyCluster(fleet, name);
  const { host, port } = serverOf(flags.server, fleet);
  const controlPlane = fleet.client('karmada');
  const identityFile = flags.identityFile ?? `${name}.key`;
  const agent = (await get(controlPlane, `${agentsPath}/${name}`)) as Agent | undefined;
  const script = stockSshScript({
    cluster: name,
    host,
    port,
    hostKeys: await readHostKeys(controlPlane),
    target: flags.target,
    identityFile,
    publicKey: await readIfThere(`${identityFile}.pub`),
    registered: agent?.spec?.publicKeys ?? [],
  });
  process.stdout.write(script);
}
