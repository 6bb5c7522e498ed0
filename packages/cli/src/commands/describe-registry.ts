/** `fleet describe registry`: one ResourceRegistry in detail. */

import { isStatus } from '@fleet/client/kube-client.ts';
import { type ResourceRegistry, registriesPath } from '@fleet/server/registries/resource-registry.ts';
import { HintedError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { describeRegistry } from '../registry-description.ts';
import type { DescribeFlags } from './describe-cluster.ts';

export async function runDescribeRegistry(name: string, { fleetKubeconfig }: DescribeFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  process.stdout.write(describeRegistry(await existingRegistry(fleet, name)));
}

async function existingRegistry(fleet: Fleet, name: string): Promise<ResourceRegistry> {
  try {
    return await fleet.client('karmada').get<ResourceRegistry>(`${registriesPath}/${encodeURIComponent(name)}`);
  } catch (cause) {
    if (!isStatus(cause, 404)) throw cause;
    throw new HintedError(`there is no registry "${name}"`, 'See "fleet get registries"', { cause });
  }
}
