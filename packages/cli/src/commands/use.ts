/** `fleet use`: switches the fleet's kubeconfig to one clusterspace. */

import { readFile, realpath } from 'node:fs/promises';
import { writePrivate } from '@fleet/client/private-file.ts';
import { parse, stringify } from 'yaml';
import { existingCluster, reservedClusterspaces } from '../existing-cluster.ts';
import { clusterspaceUrl, Fleet } from '../fleet-location.ts';
import { type Config, withContext } from '../kubeconfig-context.ts';

export interface UseFlags {
  fleetKubeconfig?: string;
}

export async function runUse(clusterspace: string, { fleetKubeconfig }: UseFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  if (!reservedClusterspaces.includes(clusterspace)) await existingCluster(fleet, clusterspace);
  // A link stays one.
  const path = await realpath(fleet.location.path);
  const server = clusterspace === 'all' ? fleet.root.url : clusterspaceUrl(fleet.root.url, clusterspace);
  const changed = withContext(parse(await readFile(path, 'utf8')) as Config, clusterspace, server);
  await writePrivate(path, stringify(changed, { lineWidth: 0 }));
  process.stderr.write(`Switched ${path} to context "${changed['current-context']}": ${server}\n`);
}
