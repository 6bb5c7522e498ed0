import { readFile, rename, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { existingCluster } from '../existing-cluster.ts';
import { Fleet, placeUrl, rootOf } from '../fleet-location.ts';
import { type Config, withPlace } from '../kubeconfig-place.ts';

export interface UseFlags {
  fleetKubeconfig?: string;
}

/** Places that are no clusters but have a URL all the same. */
const otherPlaces = ['karmada', 'all'];

export async function runUse(place: string, { fleetKubeconfig }: UseFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  if (!otherPlaces.includes(place)) await existingCluster(fleet, place);
  const { path } = fleet.location;
  const server = place === 'all' ? rootOf(fleet.root.url) : placeUrl(fleet.root.url, place);
  const changed = withPlace(parse(await readFile(path, 'utf8')) as Config, place, server);
  // Whole or not at all: a kubeconfig cut short would lock its owner out.
  await writeFile(`${path}.new`, stringify(changed, { lineWidth: 0 }), { mode: 0o600 });
  await rename(`${path}.new`, path);
  process.stderr.write(`Switched ${path} to context "${changed['current-context']}": ${server}\n`);
}
