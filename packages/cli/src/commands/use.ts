/** `fleet use`: aims the fleet's kubeconfig at one place. */

import { readFile, realpath } from 'node:fs/promises';
import { writePrivate } from '@fleet/client/private-file.ts';
import { parse, stringify } from 'yaml';
import { existingCluster, otherPlaces } from '../existing-cluster.ts';
import { Fleet, placeUrl } from '../fleet-location.ts';
import { type Config, withPlace } from '../kubeconfig-place.ts';

export interface UseFlags {
  fleetKubeconfig?: string;
}

export async function runUse(place: string, { fleetKubeconfig }: UseFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  if (!otherPlaces.includes(place)) await existingCluster(fleet, place);
  // A link stays one.
  const path = await realpath(fleet.location.path);
  const server = place === 'all' ? fleet.root.url : placeUrl(fleet.root.url, place);
  const changed = withPlace(parse(await readFile(path, 'utf8')) as Config, place, server);
  await writePrivate(path, stringify(changed, { lineWidth: 0 }));
  process.stderr.write(`Switched ${path} to context "${changed['current-context']}": ${server}\n`);
}
