/** ServiceAccounts, roles and bindings, as far as access needs them. */

import { dnsSubdomainFaults, pathSegmentFaults } from '../names/name-rules.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';

const rbac = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  allowsUnconditionalUpdate: true,
  nameFaults: pathSegmentFaults,
  strategy: {},
} as const;

export const serviceAccounts: PrintedKind = {
  group: '',
  version: 'v1',
  resource: 'serviceaccounts',
  singular: 'serviceaccount',
  kind: 'ServiceAccount',
  namespaced: true,
  shortNames: ['sa'],
  allowsUnconditionalUpdate: true,
  nameFaults: dnsSubdomainFaults,
  strategy: {},
};

export const roles: PrintedKind = { ...rbac, resource: 'roles', singular: 'role', kind: 'Role', namespaced: true };

export const roleBindings: PrintedKind = {
  ...rbac,
  resource: 'rolebindings',
  singular: 'rolebinding',
  kind: 'RoleBinding',
  namespaced: true,
};

export const clusterRoles: PrintedKind = {
  ...rbac,
  resource: 'clusterroles',
  singular: 'clusterrole',
  kind: 'ClusterRole',
  namespaced: false,
};

export const clusterRoleBindings: PrintedKind = {
  ...rbac,
  resource: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  kind: 'ClusterRoleBinding',
  namespaced: false,
};
