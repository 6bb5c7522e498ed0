/** `fleet kubeconfig`: prints a kubeconfig of the fleet, or of one clusterspace. */

import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import { readKubeconfig } from '@fleet/server/pki/admin-kubeconfig.ts';
import { printCredential } from '../credential-output.ts';
import { HintedError } from '../errors.ts';
import { existingCluster, reservedClusterspaces } from '../existing-cluster.ts';
import { clusterspaceUrl, Fleet } from '../fleet-location.ts';

export interface KubeconfigFlags {
  fleetKubeconfig?: string;
  cluster?: string;
  output?: string;
}

export async function runKubeconfig({ fleetKubeconfig, cluster, output }: KubeconfigFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  if (cluster && !reservedClusterspaces.includes(cluster)) await existingCluster(fleet, cluster);
  const { root, location } = fleet;
  const { ca, cert, key } = root.tls;
  const authorization = await root.authorization?.();
  const token = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : undefined;
  const credential = token ? { token } : cert && key ? { cert, key } : undefined;
  if (!ca || !credential) {
    throw new HintedError(
      `${location.path} has no certificate authority, or no certificate or token of a user`,
      'Use the kubeconfig that "fleet serve" wrote',
    );
  }
  const server = cluster ? clusterspaceUrl(root.url, cluster) : root.url;
  const name = cluster ? `fleet-${cluster}` : 'fleet';
  const text = singleKubeconfig(name, server, ca, credential);
  if (output !== undefined) {
    await refuseToReplace(output, name);
    await writePrivate(output, text);
    process.stderr.write(`Wrote ${output}: context "${name}", ${server}\n`);
    return;
  }
  printCredential(text);
}

/** Other contexts in the file would be lost, and with them the way to other clusters. */
async function refuseToReplace(path: string, name: string): Promise<void> {
  const text = await readIfThere(path);
  if (!text) return;
  const contexts = readKubeconfig(text)?.contexts ?? [];
  // One without contexts may hold clusters and users all the same.
  if (contexts.length > 0 && contexts.every((context) => context.name === name)) return;
  throw new HintedError(`${path} is there already and holds something else`, 'Name another file, or remove it');
}
