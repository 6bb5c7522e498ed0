import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';
import { type Kind, ordinary } from './kind.ts';

const rbac = { ...ordinary, group: 'rbac.authorization.k8s.io', version: 'v1', weight: 3 };

function rules(random: Random): JsonObject[] {
  return [
    { apiGroups: [''], resources: ['pods'], verbs: random.pick([['get'], ['get', 'list'], ['*']]) },
    ...(random.chance(0.3) ? [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] }] : []),
  ];
}

export const role: Kind = {
  ...rbac,
  kind: 'Role',
  resource: 'roles',
  build: (random) => ({ rules: rules(random) }),
  edit: (random, body) => {
    body['rules'] = rules(random);
  },
};

// no aggregationRule: a controller fills in the rules
export const clusterRole: Kind = {
  ...role,
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
  build: (random) => ({ rules: [...rules(random), { nonResourceURLs: ['/healthz'], verbs: ['get'] }] }),
};

export const roleBinding: Kind = {
  ...rbac,
  kind: 'RoleBinding',
  resource: 'rolebindings',
  build: (random) => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'alpha' },
    subjects: [{ kind: 'ServiceAccount', name: `account-${random.below(3)}`, namespace: '@{namespace}' }],
  }),
  edit: (random, body) => {
    body['subjects'] = [{ kind: 'User', name: `user-${random.below(3)}`, apiGroup: 'rbac.authorization.k8s.io' }];
  },
};

export const clusterRoleBinding: Kind = {
  ...roleBinding,
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
  weight: 2,
  build: (random) => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '@{scope}-none' },
    subjects: [{ kind: 'Group', name: `group-${random.below(3)}`, apiGroup: 'rbac.authorization.k8s.io' }],
  }),
};
