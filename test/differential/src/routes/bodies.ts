/** Bodies that suit a path, or that name something else than it does. */

import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';
import { apiVersionOf, type RouteResource } from './resources.ts';

/** What an object needs beside its metadata. */
const contents: Readonly<Record<string, JsonObject>> = {
  configmaps: { data: { a: 'b' } },
  secrets: { data: { a: 'Yg==' } },
  roles: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  rolebindings: {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
  },
  clusterroles: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
  clusterrolebindings: {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
  },
  leases: { spec: { holderIdentity: 'holder', leaseDurationSeconds: 5 } },
  widgets: { spec: { color: 'red' } },
  localsubjectaccessreviews: { spec: { user: 'somebody', resourceAttributes: { verb: 'get', resource: 'pods' } } },
  selfsubjectaccessreviews: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
  tokenreviews: { spec: { token: 'none' } },
};

export interface About {
  readonly one: RouteResource;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

export function objectBody(random: Random, { one, name, namespace }: About): JsonObject {
  const metadata: JsonObject = {
    ...(name !== undefined && { name }),
    // A namespace that the path does not name: a server may believe either.
    ...(random.chance(0.15)
      ? { namespace: random.pick(['@{scope}-closed', 'kube-system', 'default']) }
      : one.namespaced && namespace !== undefined && random.chance(0.5) && { namespace }),
    labels: { round: String(random.below(1000)) },
  };
  // Of kinds that the servers check by their own rules nothing gets as far as being checked.
  const kind = one.namespaced && !one.written && !contents[one.resource] ? 'Nonsense' : one.kind;
  return { apiVersion: apiVersionOf(one), kind, metadata, ...contents[one.resource] };
}

export const mergePatch = (random: Random): JsonObject => ({
  metadata: { labels: { round: String(random.below(1000)) } },
});
