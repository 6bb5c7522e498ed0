import { expect, it } from 'vitest';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const patient = { timeout: 10_000 };
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

it('LIMIT-2: what owns and what is owned is read from the store: caches of kinds that nobody watches stay closed', async () => {
  const watched: string[] = [];
  const { ask, internalErrors } = await openServer({
    store: (store) =>
      wrappedStore(store, {
        watch: (prefix, after) => {
          watched.push(prefix);
          return store.watch(prefix, after);
        },
      }),
  });
  const statusOf = async (path: string) => (await ask('GET', path)).status;
  await ask('POST', definitionsPath, widgetsOf('example.com', { type: 'object' }));
  await expect.poll(() => statusOf(widgets), patient).toBe(200);
  const { uid } = (await ask('POST', leases, { metadata: { name: 'owner' } })).body.metadata!;
  const owner = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: 'owner', uid, blockOwnerDeletion: true };
  const ownerReferences = [owner];
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'owned', ownerReferences } };
  expect((await ask('POST', widgets, widget)).status).toBe(201);
  await ask('DELETE', `${leases}/owner?propagationPolicy=Foreground`);
  await expect.poll(() => statusOf(`${leases}/owner`), patient).toBe(404);
  expect(await statusOf(`${widgets}/owned`)).toBe(404);
  expect(watched).toContain('/registry/');
  expect(watched.filter((prefix) => /widgets|leases/.test(prefix))).toEqual([]);
  expect(internalErrors).toEqual([]);
});
