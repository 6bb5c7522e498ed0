/** The roles, bindings, accounts and namespaces that decisions are made of, the same on both sides. */

import { expect } from 'vitest';
import type { Side } from './side.ts';

export const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';

export const namespaces = ['one', 'two'];

type Rule = Record<string, string[]>;

const rule = (apiGroups: string[], resources: string[], verbs: string[], more: Rule = {}): Rule => ({
  apiGroups,
  resources,
  verbs,
  ...more,
});

interface SceneObject {
  path: string;
  object: object;
}

const clusterRole = (name: string, rules: Rule[], more: object = {}, labels = {}): SceneObject => ({
  path: `${rbac}/clusterroles`,
  object: { metadata: { name, labels }, rules, ...more },
});
const role = (namespace: string, name: string, rules: Rule[]): SceneObject => ({
  path: `${rbac}/namespaces/${namespace}/roles`,
  object: { metadata: { name }, rules },
});

export const user = (name: string) => ({ apiGroup: group, kind: 'User', name });
export const members = (name: string) => ({ apiGroup: group, kind: 'Group', name });
export const account = (name: string, namespace?: string) => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace ? { namespace } : {}),
});

export const roleRef = (kind: string, name: string) => ({ apiGroup: group, kind, name });

const clusterBinding = (name: string, to: string, ...subjects: object[]): SceneObject => ({
  path: `${rbac}/clusterrolebindings`,
  object: { metadata: { name }, roleRef: roleRef('ClusterRole', to), subjects },
});
const binding = (namespace: string, name: string, kind: string, to: string, ...subjects: object[]): SceneObject => ({
  path: `${rbac}/namespaces/${namespace}/rolebindings`,
  object: { metadata: { name }, roleRef: roleRef(kind, to), subjects },
});

const all = ['*'];

const scene: SceneObject[] = [
  ...namespaces.map((name) => ({ path: '/api/v1/namespaces', object: { metadata: { name } } })),
  ...['robot', 'other'].map((name) => ({
    path: '/api/v1/namespaces/one/serviceaccounts',
    object: { metadata: { name } },
  })),
  clusterRole('reader', [rule([''], ['configmaps', 'pods', 'pods/log'], ['get', 'list', 'watch'])]),
  clusterRole('scaler', [rule(['apps'], ['*/scale'], ['update', 'patch']), rule(['apps'], ['deployments'], ['get'])]),
  clusterRole('one-secret', [rule([''], ['secrets'], ['get', 'list', 'update'], { resourceNames: ['a', 'b'] })]),
  clusterRole('everything', [rule(all, all, all)]),
  clusterRole('paths', [
    { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] },
    { nonResourceURLs: ['/debug*'], verbs: all },
  ]),
  clusterRole('role-maker', [
    rule(
      [group],
      ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
      ['create', 'update', 'patch', 'get'],
    ),
    rule([''], ['configmaps'], ['get', 'list', 'watch', 'update']),
    rule([''], ['secrets'], ['get'], { resourceNames: ['a'] }),
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
  ]),
  clusterRole('binder', [rule([group], ['clusterroles'], ['bind'], { resourceNames: ['reader', 'everything'] })]),
  clusterRole('escalator', [rule([group], ['roles'], ['escalate'])]),
  clusterRole('part', [rule(['parts.example'], ['wheels'], ['get'])], {}, { part: 'yes' }),
  clusterRole('whole', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] } }),
  clusterRole('as-others', [
    rule([''], ['users'], ['impersonate'], { resourceNames: ['alice'] }),
    rule(['authentication.k8s.io'], ['userextras/scopes', 'uids'], ['impersonate']),
    rule([''], ['serviceaccounts'], ['impersonate'], { resourceNames: ['robot'] }),
  ]),
  clusterRole('as-one-kind', [
    rule(['authentication.k8s.io'], ['serviceaccounts'], ['impersonate:serviceaccount']),
    rule([''], ['configmaps'], ['impersonate-on:serviceaccount:list']),
  ]),
  role('one', 'writer', [rule([''], ['configmaps'], ['create', 'delete', 'deletecollection', 'patch'])]),
  binding('one', 'alice-reads', 'ClusterRole', 'reader', user('alice')),
  binding('one', 'writers', 'Role', 'writer', members('writers')),
  binding('two', 'robot-reads', 'ClusterRole', 'reader', account('robot', 'one')),
  binding('one', 'here', 'ClusterRole', 'one-secret', account('other')),
  clusterBinding('bob-scales', 'scaler', user('bob')),
  clusterBinding('root', 'everything', members('rooters')),
  clusterBinding('paths', 'paths', user('pat')),
  clusterBinding('eve-makes', 'role-maker', user('eve')),
  binding('one', 'bea-binds', 'ClusterRole', 'binder', user('bea')),
  clusterBinding('bea-makes', 'role-maker', user('bea')),
  binding('one', 'esc', 'ClusterRole', 'escalator', user('esc')),
  clusterBinding('esc-makes', 'role-maker', user('esc')),
  clusterBinding('dangling', 'no-such-role', user('dan')),
  clusterBinding('whole', 'whole', user('wendy')),
  clusterBinding('as-others', 'as-others', user('imp')),
  clusterBinding('as-one-kind', 'as-one-kind', user('ike')),
  clusterBinding('admin', 'admin', user('ada')),
  binding('two', 'viewer', 'ClusterRole', 'view', user('vic')),
  // The last: when this is in force, so is all before it.
  clusterBinding('sentinel', 'reader', user('sentinel')),
];

export async function build(side: Side): Promise<void> {
  for (const { path, object } of scene) {
    const { status, body } = await side.ask({ path, body: object });
    expect({ side: side.name, path, object, status, body }).toMatchObject({ status: 201 });
  }
  const review = (name: string, resource: string, apiGroup: string) => ({
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { spec: { user: name, resourceAttributes: { verb: 'get', resource, group: apiGroup } } },
  });
  for (const asked of [review('sentinel', 'pods', ''), review('wendy', 'wheels', 'parts.example')]) {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const { body } = await side.ask(asked);
      if ((body as { status?: { allowed?: boolean } }).status?.allowed) break;
      if (Date.now() > deadline) throw new Error(`${side.name}: not in force: ${JSON.stringify(body)}`);
    }
  }
}
