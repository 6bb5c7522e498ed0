/** Permissions of users, in the control plane and in members. */

import type { KubeClient } from '@fleet/client/kube-client.ts';

interface Rule {
  apiGroups: readonly string[];
  resources: readonly string[];
  resourceNames?: readonly string[];
  verbs: readonly string[];
}

const group = 'rbac.authorization.k8s.io';
const path = `/apis/${group}/v1`;

/** A ClusterRole and its binding, both of this name. */
export async function grant(client: KubeClient, name: string, user: string, rules: readonly Rule[]): Promise<void> {
  await client.create(`${path}/clusterroles`, { metadata: { name }, rules });
  await client.create(`${path}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}

/** A new namespace, in which the user may do everything, as with the ClusterRole `admin`. */
export async function grantAllIn(client: KubeClient, namespace: string, user: string): Promise<void> {
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  const own = `${path}/namespaces/${namespace}`;
  await client.create(`${own}/roles`, {
    metadata: { name: 'all', namespace },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  });
  await client.create(`${own}/rolebindings`, {
    metadata: { name: 'all', namespace },
    roleRef: { apiGroup: group, kind: 'Role', name: 'all' },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}

export async function revoke(client: KubeClient, name: string): Promise<void> {
  await client.delete(`${path}/clusterrolebindings/${name}`);
}

export const reach = (cluster: string, verbs: readonly string[] = ['*']): Rule => ({
  apiGroups: ['cluster.karmada.io'],
  resources: ['clusterspaces', 'clusters/proxy'],
  resourceNames: [cluster],
  verbs,
});
