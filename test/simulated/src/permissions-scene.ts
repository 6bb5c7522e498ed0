/** Two simulated clusters, and a user who may reach one of them. */

import { CoreV1Api } from '@kubernetes/client-node';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { grant, reach } from './granting.ts';

export const readers = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] };

/** Both members let Alice read ConfigMaps; the control plane lets her reach one of them. */
export async function startScene(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members: ['member1', 'member2'], ...options });
  for (const { client } of fleet.members.values()) {
    await client.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' } });
    await grant(client, 'readers', 'alice', [readers]);
  }
  await grant(fleet.controlPlane, 'alice-member1', 'alice', [reach('member1')]);
  return fleet;
}

export const apiOf = async ({ config }: SimulatedFleet, name: string) =>
  (await config({ name })).makeApiClient(CoreV1Api);

/** In the namespace default, of all clusters. */
export async function settingsSeenBy(fleet: SimulatedFleet, name: string): Promise<string[]> {
  const { items } = await (await apiOf(fleet, name)).listNamespacedConfigMap({ namespace: 'default' });
  return items.map(({ metadata }) => metadata!.name!).filter((one) => one.startsWith('settings'));
}
