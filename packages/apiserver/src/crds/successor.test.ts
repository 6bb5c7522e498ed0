import { expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { openServer, type TestServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const path = `${definitionsPath}/widgets.example.com`;
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
const merge = { 'content-type': 'application/merge-patch+json' };
const patient = { timeout: 10_000 };

const define = ({ ask }: TestServer) => ask('POST', definitionsPath, widgetsOf('example.com', { type: 'object' }));

const isServed = ({ ask }: TestServer) =>
  expect.poll(async () => (await ask('GET', widgets)).status, patient).toBe(200);

/** Deletes a definition regardless of its objects, as administrators do, and creates another of its name, with an object. */
async function replace(server: TestServer): Promise<void> {
  const { ask } = server;
  await ask('PATCH', path, { metadata: { finalizers: null } }, merge);
  expect((await define(server)).status).toBe(201);
  await expect.poll(async () => (await ask('POST', widgets, widget('precious'))).status, patient).toBe(201);
}

it('CP-1: a definition that goes takes nothing from the next of its name', async () => {
  let isDue = false;
  const done = Promise.withResolvers<void>();
  const happening = (store: ObjectStore): ObjectStore =>
    wrappedStore(store, {
      range: async (query) => {
        if (isDue && query.prefix === '/registry/example.com/widgets/') {
          isDue = false;
          await replace(server).then(done.resolve, done.reject);
        }
        return store.range(query);
      },
    });
  const server: TestServer = await openServer({ store: happening });
  const { ask } = server;
  await define(server);
  await isServed(server);
  await ask('POST', widgets, widget('first'));
  isDue = true;
  await ask('DELETE', path);
  await done.promise;
  // Definitions are processed one after the other.
  const next = widgetsOf('later.example.com', { type: 'object' });
  await ask('POST', definitionsPath, next);
  const later = '/apis/later.example.com/v1/namespaces/default/widgets';
  await expect.poll(async () => (await ask('GET', later)).status, patient).toBe(200);
  await isServed(server);
  expect((await ask('GET', `${widgets}/precious`)).status).toBe(200);
  expect((await ask('GET', path)).body.metadata).not.toHaveProperty('deletionTimestamp');
});
