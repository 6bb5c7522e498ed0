import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { openServer, type TestServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

/** A store in which something happens just before one key is created, as during a long validation of its object. */
function happeningBefore(key: string, happen: () => Promise<void>) {
  let isDue = true;
  return (store: ObjectStore): ObjectStore =>
    wrappedStore(store, {
      write: async (write) => {
        if (isDue && write.op === 'create' && write.key === key) {
          isDue = false;
          await happen();
        }
        return store.write(write);
      },
    });
}

async function removed({ ask }: TestServer, path: string): Promise<void> {
  await ask('DELETE', path);
  await expect.poll(async () => (await ask('GET', path)).status, { timeout: 10_000 }).toBe(404);
}

describe('nothing is created in what went while it was checked', () => {
  it.each([
    ['', 100],
    [' on another thread', 20_000],
  ])('a namespace that was deleted%s', async (_, length) => {
    const server: TestServer = await openServer({
      store: happeningBefore('/registry/configmaps/x/late', () => removed(server, '/api/v1/namespaces/x')),
    });
    const { ask } = server;
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    const late = { metadata: { name: 'late' }, data: { a: 'a'.repeat(length) } };
    const answer = await ask('POST', '/api/v1/namespaces/x/configmaps', late);
    expect(answer).toMatchObject({ status: 404, body: { message: 'namespaces "x" not found' } });
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    expect((await ask('GET', '/api/v1/namespaces/x/configmaps/late')).status).toBe(404);
  });

  it('a namespace that is being deleted', async () => {
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    const server: TestServer = await openServer({
      store: happeningBefore('/registry/configmaps/x/late', async () => {
        await server.ask('POST', '/api/v1/namespaces/x/secrets', held);
        await server.ask('DELETE', '/api/v1/namespaces/x');
      }),
    });
    await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    const answer = await server.ask('POST', '/api/v1/namespaces/x/configmaps', { metadata: { name: 'late' } });
    expect(answer).toMatchObject({ status: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } });
  });

  it('a namespace that was only changed does not matter', async () => {
    const labels = { changed: 'true' };
    const merge = { 'content-type': 'application/merge-patch+json' };
    const server: TestServer = await openServer({
      store: happeningBefore('/registry/configmaps/default/late', async () => {
        await server.ask('PATCH', '/api/v1/namespaces/default', { metadata: { labels } }, merge);
      }),
    });
    const { status } = await server.ask('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'late' },
    });
    expect(status).toBe(201);
  });

  it('a definition that was deleted', async () => {
    const path = `${definitionsPath}/widgets.example.com`;
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    const server: TestServer = await openServer({
      store: happeningBefore('/registry/example.com/widgets/default/late', () => removed(server, path)),
    });
    const { ask } = server;
    const define = async () => {
      await ask('POST', definitionsPath, widgetsOf('example.com', { type: 'object' }));
      await expect.poll(async () => (await ask('GET', widgets)).status, { timeout: 10_000 }).toBe(200);
    };
    await define();
    const late = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'late' } };
    expect((await ask('POST', widgets, late)).status).toBe(404);
    await define();
    expect((await ask('GET', widgets)).body.items).toEqual([]);
  });
});
