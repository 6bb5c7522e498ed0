/** The permissions of the product in a member, by function (IMP-6). docs/reference/member-permissions.md describes the same in prose. */

export interface PolicyRule {
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
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
      // The whole group: RBAC cannot express `userextras/*`.
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

/** What a member grants that is reached through an agent: whoever dials in its name has to lead to the same cluster (AGENT-9). */
export const identityGrant: Grant = {
  role: 'fleet:identity',
  account: 'fleet-control',
  rules: [{ apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: read }],
};

/** A change of these ends what the cache knows of users' permissions in the member (IMP-3). */
const rbacKinds = ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'].map((resource) => ({
  group: 'rbac.authorization.k8s.io',
  resource,
}));

export type KindsOption = 'cacheKinds' | 'federationKinds';

/** What a member grants for the resources that a flag of `fleet join` names. */
export interface KindsGrant {
  option: KindsOption;
  flag: string;
  role: string;
  /** As a join shows it. */
  title: string;
  verbs: readonly string[];
  /** Granted whatever the flag names. */
  always: readonly GroupResource[];
}

/** By option: empty to take a grant back, undefined to leave it as it is. */
export type GrantedKinds = Partial<Record<KindsOption, readonly GroupResource[] | undefined>>;

export const cacheGrant: KindsGrant = {
  option: 'cacheKinds',
  flag: '--cache-kinds',
  role: 'fleet:cache',
  title: 'Grant the cache list and watch of its kinds',
  verbs: ['list', 'watch'],
  always: rbacKinds,
};

export const federationGrant: KindsGrant = {
  option: 'federationKinds',
  flag: '--federation-kinds',
  role: 'fleet:federation',
  title: 'Grant federation read and write of its kinds',
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  // Those of the control plane are made in every federated member (FED-10).
  always: [{ group: '', resource: 'namespaces' }],
};

export const kindsGrants: readonly KindsGrant[] = [cacheGrant, federationGrant];

/** Sorted: the same kinds make the same rules. */
export function grantOf({ role, verbs, always }: KindsGrant, kinds: readonly GroupResource[]): Grant {
  const byGroup = Map.groupBy([...always, ...kinds], ({ group }) => group);
  const groups = [...byGroup].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    role,
    account: 'fleet-control',
    rules: groups.map(([group, of]) => ({
      apiGroups: [group],
      resources: [...new Set(of.map(({ resource }) => resource))].sort(),
      // Of its own: an array that is shared becomes an alias in YAML.
      verbs: [...verbs],
    })),
  };
}
