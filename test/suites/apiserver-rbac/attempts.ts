/** Requests by users, reviews and token requests, good and bad: both sides must answer alike. */

import { account, members, rbac, roleRef, user } from './scene.ts';
import type { Asked, Who } from './side.ts';

const as = (name: string, ...groups: string[]): Who => ({ user: name, ...(groups.length > 0 ? { groups } : {}) });
const group = 'rbac.authorization.k8s.io';

const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
const bound = (name: string, kind: string, to: string, ...subjects: object[]) => ({
  metadata: { name },
  roleRef: roleRef(kind, to),
  subjects,
});
const get = (resource: string, ...verbs: string[]) => ({ apiGroups: [''], resources: [resource], verbs });

/** Plain requests. */
const requests: Asked[] = [
  { path: '/api/v1/namespaces/one/configmaps?labelSelector=none', as: as('alice') },
  { path: '/api/v1/namespaces/two/configmaps', as: as('alice') },
  { path: '/api/v1/configmaps', as: as('alice') },
  { path: '/api/v1/namespaces/one/secrets/a', as: as('alice') },
  { path: '/api/v1/namespaces/one/configmaps?fieldSelector=metadata.name%3Dx', as: as('dan') },
  { path: '/api/v1/namespaces/one/pods/x/log', as: as('bob') },
  { path: '/api/v1/namespaces/one/configmaps', body: { metadata: { name: 'by-carol' } }, as: as('carol', 'writers') },
  { path: '/api/v1/namespaces/one/configmaps/by-carol', method: 'DELETE', as: as('bob') },
  { path: '/apis/no.such/v1/things', as: as('bob') },
  { path: '/healthz', as: as('bob') },
  { path: '/metrics', as: as('bob') },
  { path: '/logs/<b>', as: as('b<o>b&co') },
  { path: '/api/v1/namespaces/one', as: as('bob') },
  { path: '/api/v1/namespaces', as: { user: 'system:anonymous' } },
  { path: '/api/v1/namespaces/one/configmaps', as: { token: 'nonsense' } },
  { path: '/api/v1/namespaces/one/configmaps', as: { token: 'abcdef.0123456789abcdef' } },
];

/** Whoever impersonates. */
const impersonations: Asked[] = [
  { path: '/api/v1/namespaces/one/configmaps', as: { headers: { 'impersonate-group': 'x' } } },
  {
    path: '/api/v1/namespaces/one/configmaps',
    as: { headers: { 'impersonate-uid': 'x', 'impersonate-extra-a%2fb': 'c' } },
  },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, as: as('alice', 'a', 'b') },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, as: as('system:serviceaccount:one:robot') },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, as: as('system:anonymous') },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, as: as('x', 'system:unauthenticated') },
  {
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: {},
    as: { user: 'u', headers: { 'impersonate-uid': '7', 'impersonate-extra-Scopes': ['b', 'a'] } },
  },
];

/** Nobody gives what they do not have. */
const escalations: Asked[] = [
  ...[
    role('r1', get('configmaps', 'get', 'list')),
    role('r2', get('configmaps', 'get', 'delete', 'patch'), get('pods', 'list')),
    role('r3', { ...get('secrets', 'get'), resourceNames: ['a', 'b'] }),
    role('r4', { ...get('secrets', 'get'), resourceNames: ['a'] }),
    role('r5', get('secrets', 'get')),
    role('r6', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }),
    role('r7', { apiGroups: ['', 'apps'], resources: ['configmaps', 'pods/log'], verbs: ['update', 'get'] }),
  ].map((body) => ({ path: `${rbac}/namespaces/one/roles`, body, as: as('eve', 'team') })),
  ...[
    role('c1', { nonResourceURLs: ['/metrics'], verbs: ['get'] }),
    role('c2', { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get', 'put'] }),
    { ...role('c3'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
    role('c4', get('configmaps', 'watch')),
  ].map((body) => ({ path: `${rbac}/clusterroles`, body, as: as('eve') })),
  { path: `${rbac}/namespaces/one/roles/r1`, method: 'PUT', body: role('r1', get('pods', 'get')), as: as('eve') },
  { path: `${rbac}/namespaces/one/roles/r1`, method: 'PATCH', body: { rules: [get('pods', 'get')] }, as: as('eve') },
  {
    path: `${rbac}/namespaces/one/roles/r1`,
    method: 'PATCH',
    body: { metadata: { labels: { a: 'b' } } },
    as: as('eve'),
  },
  { path: `${rbac}/clusterroles/reader`, method: 'PATCH', body: { metadata: { labels: { a: 'b' } } }, as: as('eve') },
  {
    path: `${rbac}/clusterroles/reader`,
    method: 'PATCH',
    body: { metadata: { finalizers: ['a.example/b'] } },
    as: as('eve'),
  },
  { path: `${rbac}/clusterroles/reader`, method: 'PATCH', body: { metadata: { finalizers: null } }, as: as('eve') },
  { path: `${rbac}/namespaces/one/roles`, body: role('e1', get('secrets', '*')), as: as('esc') },
  { path: `${rbac}/namespaces/two/roles`, body: role('e1', get('secrets', '*')), as: as('esc') },
  ...[
    bound('b1', 'ClusterRole', 'reader', user('eve')),
    bound('b2', 'ClusterRole', 'cluster-admin', user('eve')),
    bound('b3', 'ClusterRole', 'no-such-role', user('eve')),
    bound('b4', 'Role', 'r1', user('eve')),
    bound('b5', 'Role', 'no-such-role', members('x')),
    bound('b6', 'ClusterRole', 'one-secret', account('robot')),
  ].map((body) => ({ path: `${rbac}/namespaces/one/rolebindings`, body, as: as('eve') })),
  { path: `${rbac}/clusterrolebindings`, body: bound('cb1', 'ClusterRole', 'reader', user('eve')), as: as('eve') },
  { path: `${rbac}/clusterrolebindings`, body: bound('cb2', 'ClusterRole', 'c4', user('eve')), as: as('eve') },
  { path: `${rbac}/clusterrolebindings`, body: bound('cb3', 'ClusterRole', 'reader', user('bea')), as: as('bea') },
  ...['one', 'two'].map((namespace) => ({
    path: `${rbac}/namespaces/${namespace}/rolebindings`,
    body: bound('bea', 'ClusterRole', 'everything', user('bea')),
    as: as('bea'),
  })),
  {
    path: `${rbac}/clusterrolebindings/eve-makes`,
    method: 'PATCH',
    body: { subjects: [user('eve'), user('mallory')] },
    as: as('eve'),
  },
  {
    path: `${rbac}/clusterrolebindings/root`,
    method: 'PATCH',
    body: { subjects: [{ apiGroup: group, kind: 'User', name: 'eve' }] },
    as: as('eve'),
  },
];

const authorization = '/apis/authorization.k8s.io/v1';
const asked = { verb: 'get', resource: 'configmaps', namespace: 'one' };

const reviews: Asked[] = [
  { path: `${authorization}/selfsubjectaccessreviews`, body: { spec: { resourceAttributes: asked } }, as: as('alice') },
  { path: `${authorization}/selfsubjectaccessreviews`, body: { spec: { resourceAttributes: asked } }, as: as('dan') },
  { path: `${authorization}/selfsubjectaccessreviews`, body: { spec: {} }, as: as('dan') },
  {
    path: `${authorization}/selfsubjectaccessreviews`,
    body: { metadata: { name: 'x' }, spec: { resourceAttributes: asked } },
  },
  { path: `${authorization}/subjectaccessreviews`, body: { spec: { resourceAttributes: asked } } },
  {
    path: `${authorization}/subjectaccessreviews`,
    body: { spec: { user: 'alice', resourceAttributes: asked } },
    as: as('bob'),
  },
  {
    path: `${authorization}/subjectaccessreviews`,
    body: { spec: { user: 'alice', resourceAttributes: asked, nonResourceAttributes: { path: '/x', verb: 'get' } } },
  },
  {
    path: `${authorization}/subjectaccessreviews`,
    body: { spec: { groups: ['writers'], resourceAttributes: { ...asked, verb: 'create' } } },
  },
  {
    path: `${authorization}/namespaces/one/localsubjectaccessreviews`,
    body: { spec: { user: 'alice', resourceAttributes: asked } },
  },
  {
    path: `${authorization}/namespaces/two/localsubjectaccessreviews`,
    body: { spec: { user: 'alice', resourceAttributes: asked } },
  },
  {
    path: `${authorization}/namespaces/one/localsubjectaccessreviews`,
    body: { metadata: { namespace: 'two' }, spec: { user: 'alice', resourceAttributes: asked } },
  },
  {
    path: `${authorization}/namespaces/one/localsubjectaccessreviews`,
    body: { spec: { user: 'alice', nonResourceAttributes: { path: '/x', verb: 'get' } } },
  },
  { path: `${authorization}/selfsubjectrulesreviews`, body: { spec: { namespace: 'one' } }, as: as('alice') },
  { path: `${authorization}/selfsubjectrulesreviews`, body: { spec: { namespace: 'two' } }, as: as('vic') },
  { path: `${authorization}/selfsubjectrulesreviews`, body: { spec: { namespace: 'two' } }, as: as('dan') },
  { path: `${authorization}/selfsubjectrulesreviews`, body: { spec: {} }, as: as('alice') },
  { path: `${authorization}/selfsubjectaccessreviews`, as: as('alice') },
  { path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: {} } },
  { path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: { token: 'nonsense' } } },
  { path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: { token: 'a.b.c', audiences: ['x'] } } },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, as: as('alice') },
];

const token = (name: string) => `/api/v1/namespaces/one/serviceaccounts/${name}/token`;

const tokenRequests: Asked[] = [
  { path: token('robot'), body: {} },
  { path: token('robot'), body: { spec: { audiences: ['a', 'b'], expirationSeconds: 700 } } },
  { path: token('robot'), body: { spec: { expirationSeconds: 10 } } },
  { path: token('robot'), body: { spec: { expirationSeconds: 5_000_000_000 } } },
  { path: token('nobody'), body: {} },
  { path: token('robot'), body: { metadata: { name: 'other' } } },
  { path: token('robot'), body: { metadata: { uid: 'other' } } },
  { path: token('robot'), body: { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } } } },
  { path: token('robot'), body: { spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } } } },
  { path: token('robot'), body: {}, as: as('alice') },
  { path: token('robot') },
];

export const attempts = { requests, impersonations, escalations, reviews, tokenRequests };

/** By users who may impersonate some: their credentials are tokens, so their headers are read. */
export const byImpersonators: { who: string; headers: Record<string, string>; path: string }[] = [
  { who: 'imp', headers: { 'impersonate-user': 'alice' }, path: '/api/v1/namespaces/one/configmaps' },
  { who: 'imp', headers: { 'impersonate-user': 'bob' }, path: '/api/v1/namespaces/one/configmaps' },
  { who: 'imp', headers: { 'impersonate-user': 'alice', 'impersonate-group': 'g' }, path: '/version' },
  { who: 'imp', headers: { 'impersonate-user': 'alice', 'impersonate-uid': '1' }, path: '/version' },
  { who: 'imp', headers: { 'impersonate-user': 'alice', 'impersonate-extra-scopes': 'x' }, path: '/version' },
  { who: 'imp', headers: { 'impersonate-user': 'alice', 'impersonate-extra-other': 'x' }, path: '/version' },
  {
    who: 'imp',
    headers: { 'impersonate-user': 'system:serviceaccount:one:robot' },
    path: '/api/v1/namespaces/two/pods',
  },
  { who: 'imp', headers: { 'impersonate-user': 'system:serviceaccount:one:other' }, path: '/version' },
  { who: 'imp', headers: { 'impersonate-user': 'system:node:n1' }, path: '/version' },
  {
    who: 'ike',
    headers: { 'impersonate-user': 'system:serviceaccount:one:robot' },
    path: '/api/v1/namespaces/two/configmaps',
  },
  {
    who: 'ike',
    headers: { 'impersonate-user': 'system:serviceaccount:one:robot' },
    path: '/api/v1/namespaces/two/pods',
  },
  { who: 'ike', headers: { 'impersonate-user': 'alice' }, path: '/api/v1/namespaces/one/configmaps' },
];
