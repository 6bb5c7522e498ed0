import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const bindings = `${rbac}/namespaces/default/rolebindings`;
const roleRef = { kind: 'Role', name: 'r' };

it('a binding is completed, and its role stays', async () => {
  const { ask } = await openServer();
  const subjects = [
    { kind: 'User', name: 'u' },
    { kind: 'ServiceAccount', name: 's', namespace: 'default' },
  ];
  const { body } = await ask('POST', bindings, { metadata: { name: 'a:b' }, roleRef, subjects });
  const group = 'rbac.authorization.k8s.io';
  expect(body).toMatchObject({
    roleRef: { apiGroup: group },
    subjects: [{ apiGroup: group }, { kind: 'ServiceAccount' }],
  });
  const other = await ask('PUT', `${bindings}/a:b`, { ...body, roleRef: { kind: 'Role', name: 'other' } });
  expect([other.status, other.body['message']]).toEqual([
    422,
    `RoleBinding.rbac.authorization.k8s.io "a:b" is invalid: roleRef: Invalid value: {"APIGroup":"${group}","Kind":"Role","Name":"other"}: cannot change roleRef`,
  ]);
});

it('a PUT makes what is not there', async () => {
  const { ask } = await openServer();
  expect((await ask('PUT', `${bindings}/a`, { metadata: { name: 'a' }, roleRef })).status).toBe(201);
  expect((await ask('PUT', `${rbac}/clusterroles/a`, { metadata: { name: 'a' } })).body['rules']).toBeNull();
});

it.each([
  [
    'namespaces/default/rolebindings',
    { roleRef: { kind: 'X', name: '' }, subjects: [{ kind: 'Y' }] },
    [
      'roleRef.kind: Unsupported value: "X": supported values: "Role", "ClusterRole"',
      'roleRef.name: Required value',
      'subjects[0].name: Required value',
      'subjects[0].kind: Unsupported value: "Y": supported values: "ServiceAccount", "User", "Group"',
    ],
  ],
  [
    'clusterrolebindings',
    { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'S' }] },
    [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].name: Invalid value: "S": a lowercase RFC 1123 subdomain',
      'subjects[0].namespace: Required value',
    ],
  ],
  [
    'namespaces/default/roles',
    { rules: [{ verbs: [], nonResourceURLs: ['/x'], resources: ['y'] }] },
    [
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
  [
    'clusterroles',
    {
      rules: [{ verbs: ['get'] }],
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] },
    },
    [
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
      "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
])('%s %j is refused', async (path, fields, wrong) => {
  const { ask } = await openServer();
  const { status, body } = await ask('POST', `${rbac}/${path}`, { metadata: { name: 'a' }, ...fields });
  expect(status).toBe(422);
  for (const text of wrong) expect(body['message']).toContain(text);
});
