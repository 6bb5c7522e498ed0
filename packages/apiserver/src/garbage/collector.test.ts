import { expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** An owner with two dependents; the second also has another owner. */
async function family(blocks = false) {
  const server = await openServer();
  const make = async (name: string, owners: object[] = []) => {
    const { body } = await server.ask('POST', maps, { metadata: { name, ownerReferences: owners } });
    const { uid } = body.metadata!;
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...(blocks ? { blockOwnerDeletion: true } : {}) };
  };
  const owner = await make('owner');
  const child = await make('child', [owner]);
  await make('grandchild', [child]);
  return { ...server, make, owner, child };
}

const names = async ({ ask }: Pick<TestServer, 'ask'>): Promise<string[]> => {
  const { body } = await ask('GET', `${maps}?fieldSelector=metadata.name!%3Dkube-root-ca.crt`);
  return (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
};

it('in the background dependents follow', async () => {
  const server = await family();
  expect((await server.ask('DELETE', `${maps}/owner?propagationPolicy=Background`)).body['kind']).toBe('Status');
  await expect.poll(() => names(server)).toEqual([]);
  expect(server.internalErrors).toEqual([]);
});

it('in the foreground the owner goes last', async () => {
  const server = await family(true);
  const events = await server.watch(`${maps}?watch=1&resourceVersion=0`);
  const { body } = await server.ask('DELETE', `${maps}/owner?propagationPolicy=Foreground`);
  expect(body.metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
  const gone: unknown[] = [];
  while (gone.length < 3) {
    const { value } = await events.next();
    if (value.type === 'DELETED') gone.push(value.object.metadata['name']);
  }
  expect(gone).toEqual(['grandchild', 'child', 'owner']);
});

it('orphans stay, and name their owner no more', async () => {
  const server = await family();
  await server.ask('DELETE', `${maps}/owner?propagationPolicy=Orphan`);
  await expect.poll(() => names(server)).toEqual(['child', 'grandchild']);
  expect((await server.ask('GET', `${maps}/child`)).body.metadata).not.toHaveProperty('ownerReferences');
  expect((await server.ask('GET', `${maps}/grandchild`)).body.metadata).toHaveProperty('ownerReferences');
});

it('what has another owner stays, and what names an owner that is not there goes', async () => {
  const server = await family();
  const other = await server.make('other');
  await server.make('shared', [server.child, other]);
  await server.make('lost', [{ ...other, uid: '00000000-0000-4000-8000-000000000000' }]);
  await server.ask('DELETE', `${maps}/child`);
  await expect.poll(() => names(server)).toEqual(['other', 'owner', 'shared']);
  await expect
    .poll(async () => (await server.ask('GET', `${maps}/shared`)).body.metadata!['ownerReferences'])
    .toEqual([other]);
});

it('custom objects follow, too, in whichever of several versions they are', async () => {
  const patient = { timeout: 10_000 };
  const server = await openServer();
  const { metadata, spec } = widgetsOf('example.com', { type: 'object' });
  const versions = [...spec.versions, { ...spec.versions[0]!, name: 'v2', storage: false }];
  await server.ask('POST', definitionsPath, { metadata, spec: { ...spec, versions } });
  const widgets = '/apis/example.com/v2/namespaces/default/widgets';
  await expect.poll(async () => (await server.ask('GET', widgets)).status, patient).toBe(200);
  const owned = async (name: string) => {
    const { body } = await server.ask('POST', maps, { metadata: { name } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata!['uid'] };
    const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name, ownerReferences: [owner] } };
    expect((await server.ask('POST', widgets, widget)).status).toBe(201);
    await server.ask('DELETE', `${maps}/${name}`);
    await expect.poll(async () => (await server.ask('GET', `${widgets}/${name}`)).status, patient).toBe(404);
  };
  await owned('first');
  // Then the server serves them.
  const headers = { 'content-type': 'application/merge-patch+json' };
  const change = { spec: { names: { shortNames: ['w'] } } };
  await server.ask('PATCH', `${definitionsPath}/widgets.example.com`, change, headers);
  const discovered = async () => JSON.stringify((await server.ask('GET', '/apis/example.com/v2')).body);
  await expect.poll(discovered, patient).toContain('"shortNames":["w"]');
  await owned('second');
  expect(server.internalErrors).toEqual([]);
});
