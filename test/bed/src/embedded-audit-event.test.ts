import { expect, test } from 'vitest';
import { entryOf } from './audit-entry.ts';
import { eventOf } from './embedded-audit-event.ts';

const seen = (method: string, path: string, headers = {}) => {
  const begun = new Date();
  const entry = entryOf(eventOf({ auditID: 'a', method, path, headers, code: 200, begun, ended: begun }));
  const { verb, objectRef: { resource, namespace, name, subresource } = {} } = entry;
  return [verb, resource, namespace, name, subresource];
};

test.each([
  ['GET', '/api/v1/configmaps', ['list', 'configmaps']],
  ['GET', '/api/v1/configmaps?watch=true', ['watch', 'configmaps']],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/web/scale', ['get', 'deployments', 'default', 'web', 'scale']],
  ['DELETE', '/api/v1/namespaces/default/configmaps?labelSelector=a', ['deletecollection', 'configmaps', 'default']],
  ['DELETE', '/api/v1/namespaces/default', ['delete', 'namespaces', undefined, 'default']],
  ['PUT', '/api/v1/namespaces/default/finalize', ['update', 'namespaces', undefined, 'default', 'finalize']],
  ['POST', '/api/v1/namespaces/default/secrets', ['create', 'secrets', 'default']],
  ['PATCH', '/apis/rbac.authorization.k8s.io/v1/clusterroles/x', ['patch', 'clusterroles', undefined, 'x']],
  ['GET', '/version?last=1', ['get']],
])('%s %s', (method, path, expected) => {
  expect(seen(method, path)).toEqual([...expected, ...Array(5 - expected.length).fill(undefined)]);
});

test('what is made has the name in its body', () => {
  const begun = new Date();
  const made = {
    auditID: 'a',
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: {},
    code: 201,
    begun,
    ended: begun,
  };
  const name = (body: string) => entryOf(eventOf({ ...made, body: Buffer.from(body) })).objectRef?.name;
  expect(name('{"metadata":{"name":"blue"}}')).toBe('blue');
  expect(name('k8s\0')).toBeUndefined();
});

test('whom a call is for stands in its headers', () => {
  const headers = { 'impersonate-user': 'alice', 'impersonate-group': ['people', 'system:authenticated'] };
  const begun = new Date();
  const event = eventOf({ auditID: 'a', method: 'GET', path: '/api/v1/pods', headers, code: 403, begun, ended: begun });
  expect(entryOf(event)).toMatchObject({
    code: 403,
    requestURI: '/api/v1/pods',
    impersonatedUser: 'alice',
    impersonatedGroups: ['people', 'system:authenticated'],
  });
});
