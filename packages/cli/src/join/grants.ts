/** What the product may do in a member, by function (IMP-6). docs/reference/member-rights.md says the same in prose. */

export interface PolicyRule {
  apiGroups?: string[];
  resources?: string[];
  nonResourceURLs?: string[];
  verbs: string[];
}

export interface Grant {
  /** Name of the ClusterRole and of its binding. */
  role: string;
  account: 'fleet-control' | 'fleet-impersonator';
  rules: PolicyRule[];
}

/** A resource as in `deployments.apps`; the core group is empty. */
export interface GroupResource {
  group: string;
  resource: string;
}

const read = ['get'];

/** What every member grants. */
export const grants: readonly Grant[] = [
  {
    role: 'fleet:impersonation',
    account: 'fleet-impersonator',
    rules: [
      { apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'], verbs: ['impersonate'] },
      // All of it: RBAC has no way to say `userextras/*`.
      { apiGroups: ['authentication.k8s.io'], resources: ['*'], verbs: ['impersonate'] },
    ],
  },
  {
    role: 'fleet:health',
    account: 'fleet-control',
    rules: [{ nonResourceURLs: ['/readyz', '/healthz', '/version'], verbs: read }],
  },
  {
    role: 'fleet:discovery',
    account: 'fleet-control',
    rules: [
      { nonResourceURLs: ['/api', '/apis', '/openapi/v2', '/openapi/v3', '/openapi/v3/*'], verbs: read },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['watch'] },
      { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: ['watch'] },
    ],
  },
  {
    role: 'fleet:summaries',
    account: 'fleet-control',
    rules: [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] }],
  },
];

/** A change of these ends what the cache knows of users' permissions in the member (IMP-3). */
const rbacKinds = ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'].map((resource) => ({
  group: 'rbac.authorization.k8s.io',
  resource,
}));

/** What a member grants with `--cache-kinds`. Sorted: the same kinds make the same rules. */
export function cacheGrant(kinds: readonly GroupResource[]): Grant {
  const byGroup = Map.groupBy([...rbacKinds, ...kinds], ({ group }) => group);
  const groups = [...byGroup].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    role: 'fleet:cache',
    account: 'fleet-control',
    rules: groups.map(([group, of]) => ({
      apiGroups: [group],
      resources: [...new Set(of.map(({ resource }) => resource))].sort(),
      verbs: ['list', 'watch'],
    })),
  };
}
