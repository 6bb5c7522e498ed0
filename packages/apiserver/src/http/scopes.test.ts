import { expect, it } from 'vitest';
import { builtInKinds } from '../kinds/built-in-kinds.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const asAlice = { 'impersonate-user': 'alice' };
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/foo/rolebindings';

/** `alice` is allowed everything in `foo`, and nothing in other namespaces. */
async function openWithAlice() {
  const server = await openServer();
  for (const name of ['foo', 'bar']) await server.ask('POST', '/api/v1/namespaces', { metadata: { name } });
  await server.ask('POST', rbac, {
    metadata: { name: 'alice' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
  });
  await expect.poll(async () => (await server.ask('GET', rbac, undefined, asAlice)).status).toBe(200);
  return server;
}

const requests: [string, string, object?][] = [
  ['GET', '/bar'],
  ['GET', '/foo'],
  ['GET', ''],
  ['GET', '?watch=1'],
  ['GET', '?fieldSelector=metadata.name%3Dbar'],
  ['POST', '', { metadata: { name: 'new' } }],
  ['PUT', '/bar', { metadata: { name: 'bar' } }],
  ['PATCH', '/bar', {}],
  ['DELETE', '/bar'],
  ['DELETE', '/foo'],
  ['DELETE', ''],
  ['GET', '/bar/status'],
  ['PUT', '/bar/finalize', { metadata: { name: 'bar' } }],
];

it('AUTHZ-1: permissions in one namespace reach no other one: there is no path through it', async () => {
  const { ask } = await openWithAlice();
  const all = async () => (await ask('GET', '/api/v1/namespaces')).body.items;
  const before = await all();
  for (const [method, rest, body] of requests) {
    const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    for (const root of ['/api/v1', '/api/v1/watch']) {
      const url = `${root}/namespaces/foo/namespaces${rest}`;
      const { status } = await ask(method, url, body, { ...asAlice, ...type });
      expect(status, `${method} ${url}`).toBe(404);
    }
  }
  expect(await all()).toEqual(before);
  expect((await ask('GET', '/api/v1/namespaces/bar', undefined, asAlice)).status).toBe(403);
  expect((await ask('GET', '/api/v1/namespaces/foo', undefined, asAlice)).status).toBe(200);
});

const rootOf = ({ group, version }: PrintedKind): string => (group ? `/apis/${group}/${version}` : `/api/${version}`);

it('no kind without a namespace has a path in one', async () => {
  const { ask } = await openWithAlice();
  const { spec, metadata } = widgetsOf('example.com', { type: 'object' });
  await ask('POST', definitionsPath, { metadata, spec: { ...spec, scope: 'Cluster' } });
  await expect
    .poll(async () => (await ask('GET', '/apis/example.com/v1/widgets')).status, { timeout: 5_000 })
    .toBe(200);
  const paths = [
    ...builtInKinds().flatMap((kind) => (kind.namespaced ? [] : [[rootOf(kind), kind.resource]])),
    ['/apis/apiextensions.k8s.io/v1', 'customresourcedefinitions'],
    ['/apis/example.com/v1', 'widgets'],
  ];
  expect(paths.length).toBeGreaterThan(20);
  for (const [root, resource] of paths) {
    for (const rest of ['', '/x']) {
      const url = `${root}/namespaces/foo/${resource}${rest}`;
      expect((await ask('GET', url, undefined, asAlice)).status, url).toBe(404);
      expect((await ask('DELETE', url, undefined, asAlice)).status, url).toBe(404);
    }
    const { status } = await ask('POST', `${root}/namespaces/foo/${resource}`, { metadata: { name: 'x' } }, asAlice);
    expect(status, resource).toBe(404);
  }
});
