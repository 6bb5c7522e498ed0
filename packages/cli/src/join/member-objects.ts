/** Builds the objects that `fleet join` creates in a member. */

import { managed } from '../labels.ts';
import {
  type Grant,
  type GroupResource,
  grantOf,
  grants,
  identityGrant,
  type KindsGrant,
  kindsGrants,
} from './grants.ts';
import { type Desired, type Manifest, namespace } from './manifest.ts';

export const memberNamespace = namespace('fleet-system');

/** On the namespace: which fleet joined the member, so that no other takes it out by mistake. */
export const fleetAnnotation = 'fleet.karmada.io/joined-by';

export function namespaceFor(fleet: string | undefined): Desired {
  if (fleet === undefined) return memberNamespace;
  const { collection, object } = memberNamespace;
  return {
    collection,
    object: { ...object, metadata: { ...object.metadata, annotations: { [fleetAnnotation]: fleet } } },
  };
}

export const accounts = ['fleet-control', 'fleet-impersonator'] as const;
export type Account = (typeof accounts)[number];

export const home = memberNamespace.object.metadata.name;
const rbac = '/apis/rbac.authorization.k8s.io/v1';

export const serviceAccount = (name: Account): Desired => ({
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
export const tokenSecret = (account: Account): Desired => ({
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

export interface PermissionsOptions {
  bindAdmins: boolean;
  /** The fleet reaches the member through an agent. */
  throughAgent?: boolean;
}

/** Roles and bindings, owned by the namespace: whoever deletes it, the member's garbage collector takes them away too. */
export const permissions = (owner: Manifest, options: PermissionsOptions): Desired[] =>
  ownedBy(owner, unownedPermissions(options));

/** The same for a file, which is written before the namespace has a uid. `fleet unjoin` gives them their owner. */
export const unownedPermissions = ({ bindAdmins, throughAgent = false }: PermissionsOptions): Desired[] => [
  ...[...grants, ...(throughAgent ? [identityGrant] : [])].flatMap(roleAndBinding),
  ...(bindAdmins ? [adminBinding] : []),
];

/** A role and its binding, which only a join with the flag of these kinds makes. */
export const kindsPermissions = (owner: Manifest, grant: KindsGrant, kinds: readonly GroupResource[]): Desired[] =>
  ownedBy(owner, unownedKindsPermissions(grant, kinds));

export const unownedKindsPermissions = (grant: KindsGrant, kinds: readonly GroupResource[]): Desired[] =>
  roleAndBinding(grantOf(grant, kinds));

/** Whatever flags the member was joined with. */
export const allPermissions = (owner: Manifest): Desired[] => [
  ...permissions(owner, { bindAdmins: true, throughAgent: true }),
  ...kindsGrants.flatMap((grant) => kindsPermissions(owner, grant, [])),
];

function ownedBy(owner: Manifest, desired: readonly Desired[]): Desired[] {
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Namespace', name, uid: uid! }];
  return desired.map(({ collection, object }) => ({
    collection,
    object: { ...object, metadata: { ...object.metadata, ownerReferences } },
  }));
}

function roleAndBinding(grant: Grant): Desired[] {
  return [clusterRole(grant), binding(grant.role, grant.role, subjectOf(grant))];
}

const clusterRole = ({ role, rules }: Grant): Desired => ({
  collection: `${rbac}/clusterroles`,
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: role, labels: managed },
    rules,
  },
});

const binding = (name: string, role: string, subject: object): Desired => ({
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
