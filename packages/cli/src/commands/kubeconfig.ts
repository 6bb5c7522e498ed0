import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { HintedError } from '../errors.ts';
import { existingCluster } from '../existing-cluster.ts';
import { Fleet, placeUrl } from '../fleet-location.ts';

export interface KubeconfigFlags {
  fleetKubeconfig?: string;
  cluster?: string;
}

/** Places that are no clusters but have a URL all the same. */
const otherPlaces = ['karmada', 'all'];

export async function runKubeconfig({ fleetKubeconfig, cluster }: KubeconfigFlags): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  if (cluster && !otherPlaces.includes(cluster)) await existingCluster(fleet, cluster);
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
  const server = cluster ? placeUrl(root.url, cluster) : root.url;
  process.stdout.write(singleKubeconfig(cluster ? `fleet-${cluster}` : 'fleet', server, ca, credential));
}
