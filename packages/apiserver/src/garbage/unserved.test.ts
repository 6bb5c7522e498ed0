import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const definition = widgetsOf('example.com', { type: 'object' });
const patient = { timeout: 10_000 };

async function open() {
  const server = await openServer();
  const status = async (path: string) => (await server.ask('GET', path)).status;
  const serve = (served: boolean) =>
    server.ask(
      'PATCH',
      `${definitionsPath}/widgets.example.com`,
      [{ op: 'replace', path: '/spec/versions/0/served', value: served }],
      { 'content-type': 'application/json-patch+json' },
    );
  return { ...server, status, serve };
}

it('an owner of a kind that is not served is looked for when it is', async () => {
  const { ask, status } = await open();
  const owner = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    name: 'none',
    uid: '00000000-0000-4000-8000-000000000000',
  };
  await ask('POST', maps, { metadata: { name: 'owned', ownerReferences: [owner] } });
  // Collected after the other was processed.
  await ask('POST', maps, {
    metadata: { name: 'lost', ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'ConfigMap' }] },
  });
  await expect.poll(() => status(`${maps}/lost`), patient).toBe(404);
  expect(await status(`${maps}/owned`)).toBe(200);
  await ask('POST', definitionsPath, definition);
  await expect.poll(() => status(`${maps}/owned`), patient).toBe(404);
});

/** A Widget that a ConfigMap owns, and whose kind is no longer served. */
async function unservedWidget() {
  const server = await open();
  const { ask, status, serve } = server;
  await ask('POST', definitionsPath, definition);
  await expect.poll(() => status(widgets), patient).toBe(200);
  const { uid } = (await ask('POST', maps, { metadata: { name: 'owner' } })).body.metadata!;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'owned', ownerReferences } };
  const created = await ask('POST', widgets, widget);
  expect(created.status).toBe(201);
  expect(created.body.metadata).toHaveProperty('ownerReferences');
  await serve(false);
  await expect.poll(() => status(widgets), patient).toBe(404);
  return server;
}

it('what is not served when its owner goes is collected when it is', async () => {
  const { ask, status, serve } = await unservedWidget();
  await ask('DELETE', `${maps}/owner`);
  await serve(true);
  await expect.poll(() => status(widgets), patient).toBe(200);
  await expect.poll(() => status(`${widgets}/owned`), patient).toBe(404);
});

it('what is not served when its owner goes is orphaned all the same', async () => {
  const { ask, status, serve } = await unservedWidget();
  await ask('DELETE', `${maps}/owner?propagationPolicy=Orphan`);
  await expect.poll(() => status(`${maps}/owner`), patient).toBe(404);
  await serve(true);
  await expect.poll(() => status(widgets), patient).toBe(200);
  const owned = await ask('GET', `${widgets}/owned`);
  expect(owned.status).toBe(200);
  expect(owned.body.metadata).not.toHaveProperty('ownerReferences');
});

it('what belongs to objects that are deleted with the definition of their kind is collected', async () => {
  const { ask, status } = await open();
  await ask('POST', definitionsPath, definition);
  await expect.poll(() => status(widgets), patient).toBe(200);
  const { uid } = (
    await ask('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } })
  ).body.metadata!;
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'one', uid }];
  // So many that most of them are looked at when the kind is no longer served.
  const names = Array.from({ length: 300 }, (_, index) => `owned-${index}`);
  await Promise.all(names.map((name) => ask('POST', maps, { metadata: { name, ownerReferences } })));
  await ask('DELETE', `${definitionsPath}/widgets.example.com`);
  const left = async () => ((await ask('GET', maps)).body as { items?: unknown[] }).items?.length;
  await expect.poll(left, patient).toBe(0);
});
