/** The objects that `fleet join` makes in a member. */

import { managed } from '../labels.ts';
import { cacheGrant, type Grant, type GroupResource, grants } from './grants.ts';
import { type Manifest, namespace, type Wanted } from './manifest.ts';

export const memberNamespace = namespace('fleet-system');

/** On the namespace: which fleet joined the member, so that no other takes it out by mistake. */
export const fleetAnnotation = 'fleet.karmada.io/joined-by';

export function namespaceFor(fleet: string | undefined): Wanted {
  if (fleet === undefined) return memberNamespace;
  const { collection, object } = memberNamespace;
  return {
    collection,
    object: { ...object, metadata: { ...object.metadata, annotations: { [fleetAnnotation]: fleet } } },
  };
}

export const accounts = ['fleet-control', 'fleet-impersonator'] as const;
export type Account = (typeof accounts)[number];

const home = memberNamespace.object.metadata.name;
const rbac = '/apis/rbac.authorization.k8s.io/v1';

export const serviceAccount = (name: Account): Wanted => ({
  collection: `/api/v1/namespaces/${home}/serviceaccounts`,
  object: {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: home, labels: managed },
    // Nothing runs as these: their tokens are for the product only.
    automountServiceAccountToken: false,
  },
});

/** The member's token controller fills in the token, which lasts as long as the Secret. */
export const tokenSecret = (account: Account): Wanted => ({
  collection: `/api/v1/namespaces/${home}/secrets`,
  object: {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: {
      name: `${account}-token`,
      namespace: home,
      labels: managed,
      annotations: { 'kubernetes.io/service-account.name': account },
    },
  },
});

/** Roles and bindings, owned by the namespace: whoever deletes it, the member's garbage collector takes them away too. */
export function rights(owner: Manifest, { bindAdmins }: { bindAdmins: boolean }): Wanted[] {
  const wanted = grants.flatMap(roleAndBinding);
  if (bindAdmins) wanted.push(adminBinding);
  return ownedBy(owner, wanted);
}

/** The role of the cache and its binding, which only a join with `--cache-kinds` makes. */
export const cacheRights = (owner: Manifest, kinds: readonly GroupResource[]): Wanted[] =>
  ownedBy(owner, roleAndBinding(cacheGrant(kinds)));

function ownedBy(owner: Manifest, wanted: readonly Wanted[]): Wanted[] {
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Namespace', name, uid: uid! }];
  return wanted.map(({ collection, object }) => ({
    collection,
    object: { ...object, metadata: { ...object.metadata, ownerReferences } },
  }));
}

const roleAndBinding = (grant: Grant): Wanted[] => [
  clusterRole(grant),
  binding(grant.role, grant.role, subjectOf(grant)),
];

const clusterRole = ({ role, rules }: Grant): Wanted => ({
  collection: `${rbac}/clusterroles`,
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: role, labels: managed },
    rules,
  },
});

const binding = (name: string, role: string, subject: object): Wanted => ({
  collection: `${rbac}/clusterrolebindings`,
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: managed },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [subject],
  },
});

const subjectOf = ({ account }: Grant) => ({ kind: 'ServiceAccount', name: account, namespace: home });

/**
 * The fleet's administrators are the member's too (IMP-5).
 * Not `fleet:admins`: a control plane that is joined as a member has a binding of its own.
 */
export const adminBinding = binding('fleet:member-admins', 'cluster-admin', {
  apiGroup: 'rbac.authorization.k8s.io',
  kind: 'Group',
  name: 'fleet:admins',
});
