/** The table of decisions: every one of these users, asked about every one of these requests. */

import type { Asked } from './side.ts';

const everyone = 'system:authenticated';

const users = [
  { user: 'alice', groups: [everyone] },
  { user: 'bob', groups: [everyone] },
  { user: 'carol', groups: ['writers', everyone] },
  { user: 'system:serviceaccount:one:robot', groups: ['system:serviceaccounts', everyone] },
  { user: 'system:serviceaccount:one:other', groups: ['system:serviceaccounts:one', everyone] },
  { user: 'pat', groups: [everyone] },
  { user: 'dan', groups: [everyone] },
  { user: 'wendy', groups: [everyone] },
  { user: 'vic', groups: [everyone] },
  { user: 'root', groups: ['rooters'] },
  { user: 'system:anonymous', groups: ['system:unauthenticated'] },
  { user: 'master', groups: ['system:masters'] },
];

const resources = [
  { verb: 'get', resource: 'configmaps', namespace: 'one' },
  { verb: 'list', resource: 'configmaps', namespace: 'one' },
  { verb: 'list', resource: 'configmaps', namespace: 'two' },
  { verb: 'list', resource: 'configmaps' },
  { verb: 'create', resource: 'configmaps', namespace: 'one' },
  { verb: 'deletecollection', resource: 'configmaps', namespace: 'one', name: 'x' },
  { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'one', name: 'x' },
  { verb: 'get', resource: 'pods', subresource: 'exec', namespace: 'one' },
  { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'two' },
  { verb: 'update', group: 'apps', resource: 'deployments', namespace: 'two' },
  { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'two', name: 'x' },
  { verb: 'get', resource: 'secrets', namespace: 'one', name: 'a' },
  { verb: 'get', resource: 'secrets', namespace: 'one', name: 'c' },
  { verb: 'list', resource: 'secrets', namespace: 'one' },
  { verb: 'get', resource: 'secrets', namespace: 'two', name: 'a' },
  { verb: 'get', group: 'parts.example', resource: 'wheels' },
  { verb: 'frobnicate', group: 'no.such', resource: 'things', namespace: 'one' },
  { verb: '*', group: '*', resource: '*' },
];

const paths = [
  { verb: 'get', path: '/openapi/v2' },
  { verb: 'get', path: '/metrics' },
  { verb: 'post', path: '/metrics' },
  { verb: 'get', path: '/logs/a/b' },
  { verb: 'get', path: '/logs' },
  { verb: 'put', path: '/debug/pprof' },
  { verb: 'get', path: '/apis/whatever' },
];

const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

export const decisions: Asked[] = users.flatMap((who) => [
  ...resources.map((resourceAttributes) => ({ path, body: { spec: { ...who, resourceAttributes } } })),
  ...paths.map((nonResourceAttributes) => ({ path, body: { spec: { ...who, nonResourceAttributes } } })),
]);
