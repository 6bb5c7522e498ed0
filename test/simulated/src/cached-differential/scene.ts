/** A fleet of three members whose resources are all cached, with what the product needs to read them. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from '../fleet.ts';
import { grant } from '../granting.ts';
import { register } from '../registering.ts';
import { apiVersionOf, emptyNamespace, namespaces, type Resource, resources, widgets } from './kinds.ts';

export const memberNames = ['member1', 'member2', 'member3'];
/** Has permissions in some places only. */
export const limitedUser = 'alice';
export const membersWithWidgets = ['member1', 'member2'];

export interface SceneOptions extends Omit<FleetOptions, 'members'> {
  members?: readonly string[];
  /** Which resources are registered, by their plural; all if left out. */
  registered?: readonly string[];
}

/** Members have folders, so that they can be stopped and started again. */
export async function startScene({
  members = memberNames,
  registered,
  ...options
}: SceneOptions = {}): Promise<SimulatedFleet> {
  await using starting = new AsyncDisposableStack();
  const fleet = starting.use(await startFleet({ members: [], ...options }));
  await Promise.all(
    members.map(async (name, index) => {
      const directory = `${fleet.folder}/${name}`;
      await furnish(await fleet.add(name, { directory, nodes: 2, factor: 20, seed: index + 1 }));
    }),
  );
  await registerAll(fleet.controlPlane, registered);
  await grant(fleet.controlPlane, 'reach', limitedUser, [
    { apiGroups: ['cluster.karmada.io'], resources: ['clusterspaces', 'clusters/proxy'], verbs: ['*'] },
    { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
  ]);
  starting.move();
  return fleet;
}

/** `within`: only in this namespace. */
export const selectorOf = (resource: Resource, within?: string) => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  ...(within === undefined ? {} : { namespace: within }),
});

export const registerAll = (controlPlane: KubeClient, plurals?: readonly string[]): Promise<void> =>
  register(controlPlane, 'all', {
    resourceSelectors: resources
      .filter(({ plural }) => !plurals || plurals.includes(plural))
      .map((resource) => selectorOf(resource)),
  });

async function furnish({ name, client }: SimulatedCluster): Promise<void> {
  await grantCache(client);
  for (const namespace of [...namespaces, emptyNamespace]) {
    await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  }
  await grantSome(name, client);
  if (membersWithWidgets.includes(name)) {
    await client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
  }
}

/** In one namespace of each member, and everywhere in one of them. */
async function grantSome(name: string, client: KubeClient): Promise<void> {
  const rules = [{ apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['list', 'watch'] }];
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: limitedUser }];
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespaces[0]}`;
  await client.create(`${path}/roles`, { metadata: { name: 'some' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'some' };
  await client.create(`${path}/rolebindings`, { metadata: { name: 'some' }, roleRef, subjects });
  if (name === 'member2')
    await grant(client, 'all-configmaps', limitedUser, [{ ...rules[0]!, resources: ['configmaps'] }]);
}

/** Lets the product read what it caches, as `fleet join --cache-kinds` does. */
async function grantCache(client: KubeClient): Promise<void> {
  await client.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'cache' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }],
  });
  await client.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'cache' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cache' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'fleet-system', name: 'fleet-control' }],
  });
}
