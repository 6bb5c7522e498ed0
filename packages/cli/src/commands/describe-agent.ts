/** `fleet describe agent`: how one cluster is reached, in detail. */

import { isStatus } from '@fleet/client/kube-client.ts';
import { type Agent, agentsPath } from '@fleet/server/members/agent.ts';
import { describeAgent } from '../agent/agent-description.ts';
import { HintedError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import type { DescribeFlags } from './describe-cluster.ts';

export async function runDescribeAgent(name: string, { fleetKubeconfig }: DescribeFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  process.stdout.write(describeAgent(await existingAgent(fleet, name)));
}

async function existingAgent(fleet: Fleet, name: string): Promise<Agent> {
  try {
    return await fleet.client('karmada').get<Agent>(`${agentsPath}/${encodeURIComponent(name)}`);
  } catch (cause) {
    if (!isStatus(cause, 404)) throw cause;
    throw new HintedError(`there is no agent "${name}"`, 'See "fleet get agents"', { cause });
  }
}
