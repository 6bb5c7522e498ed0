/** Checks that a server is the leader of federation: only the leader changes members. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { federationLeasePath } from '@fleet/server/federation-leftovers.ts';
import { HintedError } from './errors.ts';

interface Lease {
  metadata: { name: string };
  spec?: { holderIdentity?: string; renewTime?: string };
}

/** Its clock may differ from this one's. */
const longestSilence = 60_000;

export async function refuseWithoutLeader(client: KubeClient): Promise<void> {
  const { spec } = (await found<Lease>(client, federationLeasePath)) ?? {};
  const renewed = Date.parse(spec?.renewTime ?? '');
  if (spec?.holderIdentity && Date.now() - renewed < longestSilence) return;
  throw new HintedError('no server runs with --federation, which does the work', 'Start one, and repeat the command');
}

/** Federation was on once. A Karmada that runs in an existing control plane has no such Lease. */
export const hasFederation = async (client: KubeClient): Promise<boolean> =>
  (await found(client, federationLeasePath)) !== undefined;

export async function found<T>(client: KubeClient, path: string): Promise<T | undefined> {
  try {
    return await client.get<T>(path);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
