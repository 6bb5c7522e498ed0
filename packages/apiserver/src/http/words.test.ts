/** kube-apiserver's responses to slightly wrong or unusual requests (COMPAT-4). */

import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const map = (metadata: object = {}, rest: object = {}) => ({ metadata: { name: 'a', ...metadata }, ...rest });

it('COMPAT-4: lists without elements are none once they were kept', async () => {
  const { ask } = await openServer();
  expect((await ask('POST', roles, map({}, { rules: [] }))).body).toMatchObject({ rules: null });
  expect((await ask('POST', `${roles}?dryRun=All`, map({ name: 'b' }, { rules: [] }))).body).toMatchObject({
    rules: null,
  });
  expect((await ask('GET', `${roles}/a`)).body).toMatchObject({ rules: null });
  expect((await ask('POST', maps, map({}, { binaryData: { b: null } }))).body).toMatchObject({ binaryData: { b: '' } });
});

it.each([
  ['POST', '/api/v2', 404, 'the server could not find the requested resource'],
  ['POST', '/api/v1', 405, 'the server does not allow this method on the requested resource'],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews/a', 404, 'the server could not find the requested resource'],
  ['GET', `${maps}/a/status/b`, 404, 'the server could not find the requested resource'],
  ['GET', '/livez/', 404, '404 page not found\n'],
])('COMPAT-4: %s %s: %d', async (method, path, status, text) => {
  const { ask } = await openServer();
  const { status: answered, body } = await ask(method, path);
  expect([answered, body['message'] ?? body['text']]).toEqual([status, text]);
});

it('COMPAT-4: documents that no router guards are answered whatever is asked', async () => {
  const { ask } = await openServer();
  for (const method of ['GET', 'PUT', 'OPTIONS']) {
    expect((await ask(method, '/apis')).body['kind']).toBe('APIGroupList');
    expect((await ask(method, '/apis/apps')).body['kind']).toBe('APIGroup');
  }
});

it('COMPAT-4: invalid forms are refused by the router, if there is one', async () => {
  const { ask } = await openServer();
  const errorOf = async (path: string) => (await ask('GET', path, undefined, { accept: 'image/png' })).body['message'];
  const all = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  expect(await errorOf('/api')).toBe(`406: Not Acceptable\n\nAvailable representations: ${all}`);
  expect(await errorOf('/version')).toBe('406: Not Acceptable\n\nAvailable representations: application/json');
  expect(await errorOf('/apis')).toBe(`only the following media types are accepted: ${all}`);
});

it('COMPAT-4: answers are indented for people', async () => {
  const { server } = await openServer();
  const text = async (url: string, headers: Record<string, string> = {}) => {
    const signal = new AbortController().signal;
    const { body } = await server.handler({ method: 'GET', url, headers, body: Buffer.alloc(0), signal });
    return Buffer.concat(Buffer.isBuffer(body) ? [body] : await Array.fromAsync(body)).toString();
  };
  expect(await text(maps)).toMatch(/^\{"kind":"/);
  expect(await text(`${maps}?pretty=1`)).toMatch(/^\{\n {2}"kind": "/);
  expect(await text(maps, { 'user-agent': 'curl/8.1' })).toMatch(/^\{\n {2}"kind": "/);
  expect(await text('/version')).toMatch(/^\{\n {2}"major": "/);
  expect(await text(`${maps}/none`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })).toMatch(/^\{\n/);
});

it('COMPAT-4: an object for another namespace, or of no version, is refused as it is in kube-apiserver', async () => {
  const { ask } = await openServer();
  const other = 'the namespace of the provided object does not match the namespace sent on the request';
  expect((await ask('PUT', `${maps}/a`, map({ namespace: 'b' }))).body['message']).toBe(other);
  const token = await ask('POST', '/api/v1/namespaces/default/serviceaccounts/a/token', {
    metadata: { namespace: 'b' },
  });
  expect(token.body['message']).toBe(other);
  const body = '{"apiVersion":"a/b/c","kind":"ConfigMap"}';
  expect((await ask('POST', maps, body)).body['message']).toBe(
    `the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c (${body.slice(0, 30)} ...)`,
  );
  const nonsense = await ask('POST', roles, { kind: 'Nonsense', apiVersion: 'rbac.authorization.k8s.io/v1' });
  expect(nonsense.body['message']).toMatch(/^Nonsense in version "v1" cannot be handled as a Role: no kind "Nonsense"/);
});

it('COMPAT-4: a dry run does not report what it does not reach', async () => {
  const { ask } = await openServer();
  expect((await ask('POST', `${maps}?dryRun=All`, map({ resourceVersion: '1' }))).status).toBe(201);
  await ask('POST', maps, map());
  const uid = '00000000-0000-4000-8000-000000000000';
  const message = async (query: string) => (await ask('PUT', `${maps}/a${query}`, map({ uid }))).body['message'];
  expect(await message('')).toContain('Key: /registry/configmaps/default/a,');
  expect(await message('?dryRun=All')).toContain('Key: /configmaps/default/a,');
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases/b';
  const missing = await ask('PUT', leases, map({ name: 'b', uid, resourceVersion: '1' }));
  expect(missing.body['message']).toContain(`Key: /registry/leases/default/b, ResourceVersion: 0`);
});

it('COMPAT-4: a deletion of what has its own is refused in its own words', async () => {
  const { ask } = await openServer();
  await ask('POST', '/api/v1/namespaces', map());
  const preconditions = { uid: '00000000-0000-4000-8000-000000000000' };
  const { body } = await ask('DELETE', '/api/v1/namespaces/a', { preconditions });
  expect(body['message']).toMatch(
    /^Operation cannot be fulfilled on namespaces "a": Precondition failed: UID in precondition: 0/,
  );
  const going = await ask('DELETE', '/api/v1/namespaces/a?propagationPolicy=Foreground');
  expect(going.body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
});

it('COMPAT-4: a namespace needs a name', async () => {
  const { ask } = await openServer();
  expect((await ask('POST', '/api/v1/namespaces', {})).body['message']).toBe(
    'Namespace "" is invalid: metadata.name: Required value: name or generateName is required',
  );
});

it('COMPAT-4: a token of spaces is none', async () => {
  const { ask } = await openServer({ access: {} });
  const { body } = await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: ' ' } });
  expect(body).toMatchObject({ status: { authenticated: true, user: { username: 'system:anonymous' } } });
});

it('COMPAT-4: a bookmark has the empty fields of its kind, and its metadata in every Table', async () => {
  const { watch } = await openServer();
  const start = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const plain = (await (await watch(`${roles}?${start}`)).next()).value;
  expect(plain).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Role', rules: null } });
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = (await (await watch(`${roles}?${start}&includeObject=None`, { accept })).next()).value;
  const end = { annotations: { 'k8s.io/initial-events-end': 'true' } };
  expect(table.object['rows']).toEqual([
    {
      cells: ['', '0001-01-01T00:00:00Z'],
      object: expect.objectContaining({ metadata: expect.objectContaining(end) }),
    },
  ]);
});

it('COMPAT-4: a token is asked for in a namespace that is there, of the account that is meant', async () => {
  const { ask } = await openServer({ access: {} });
  const missing = await ask('POST', '/api/v1/namespaces/none/serviceaccounts/a/token', { spec: {} });
  expect([missing.status, missing.body['message']]).toEqual([404, 'namespaces "none" not found']);
});

it('COMPAT-4: a patch is no object', async () => {
  const { ask } = await openServer();
  const { status, body } = await ask('PUT', `${maps}/a`, map(), { 'content-type': 'application/merge-patch+json' });
  expect([status, body['reason']]).toEqual([415, 'UnsupportedMediaType']);
});
