import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../store/object-store.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { openServer, type TestServer } from '../testing/open-server.ts';

const space = '/api/v1/namespaces/x';
const precious = `${space}/configmaps/precious`;

/** Deletes a namespace whatever is in it, as administrators do, and creates another of its name, with content. */
async function replace({ ask }: TestServer): Promise<void> {
  const { body } = await ask('GET', space);
  await ask('PUT', `${space}/finalize`, { ...body, spec: { finalizers: [] } });
  await ask('DELETE', precious);
  expect((await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } })).status).toBe(201);
  expect((await ask('POST', `${space}/configmaps`, { metadata: { name: 'precious' } })).status).toBe(201);
}

/** Contains an object with a finalizer. */
async function makeHeld({ ask }: TestServer, name = 'x'): Promise<void> {
  await ask('POST', '/api/v1/namespaces', { metadata: { name } });
  const metadata = { name: 'held', finalizers: ['example.com/hold'] };
  await ask('POST', `/api/v1/namespaces/${name}/configmaps`, { metadata });
}

const isGone = ({ ask }: TestServer, name: string) =>
  expect.poll(async () => (await ask('GET', `/api/v1/namespaces/${name}`)).status, { timeout: 15_000 }).toBe(404);

/** Waits until all work for the first namespace is done: another one was processed by the same queue after it. */
async function expectUntouched(server: TestServer): Promise<void> {
  const { ask, internalErrors } = server;
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'y' } });
  await ask('DELETE', '/api/v1/namespaces/y');
  await isGone(server, 'y');
  expect((await ask('GET', precious)).status).toBe(200);
  const { body } = await ask('GET', space);
  expect(body).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  expect(body['status']).not.toHaveProperty('conditions');
  expect(internalErrors).toEqual([]);
}

/** A store in which the namespace is replaced at one moment of its deletion. */
function replacing(isDue: (call: string) => boolean) {
  let isOn = false;
  const done = Promise.withResolvers<void>();
  let server: TestServer;
  const happen = async (call: string): Promise<void> => {
    if (!isOn || !isDue(call)) return;
    isOn = false;
    await replace(server);
    done.resolve();
  };
  const store = (real: ObjectStore): ObjectStore =>
    wrappedStore(real, {
      range: async (query) => {
        await happen(`before range ${query.prefix}`);
        const range = await real.range(query);
        await happen(`after range ${query.prefix}`);
        return range;
      },
      write: async (write) => {
        await happen(`before ${write.op} ${write.key} ${write.op === 'delete' ? '' : Buffer.from(write.value)}`);
        return real.write(write);
      },
    });
  const run = async (): Promise<TestServer> => {
    server = await openServer({ store });
    await makeHeld(server);
    // The next one has another object of this name.
    await server.ask('POST', `${space}/configmaps`, { metadata: { name: 'precious' } });
    isOn = true;
    await server.ask('DELETE', space);
    await done.promise;
    return server;
  };
  return run;
}

describe('CP-1: a namespace that goes takes nothing from the next of its name', () => {
  it('whose contents were made while the first waited for its own', { timeout: 20_000 }, async () => {
    const server = await openServer();
    for (const name of ['x', 'later']) {
      await makeHeld(server, name);
      await server.ask('DELETE', `/api/v1/namespaces/${name}`);
      const status = async () => (await server.ask('GET', `/api/v1/namespaces/${name}`)).body['status'];
      await expect.poll(status).toHaveProperty('conditions');
    }
    await replace(server);
    // Detected when that one is retried, which is after this one was.
    await server.ask('PUT', '/api/v1/namespaces/later/configmaps/held', { metadata: { name: 'held' } });
    await isGone(server, 'later');
    await expectUntouched(server);
  });

  it.each([
    ['just before its contents are listed', /^before range .registry.configmaps.x.$/],
    ['just after its contents were listed', /^after range .registry.configmaps.x.$/],
    ['just before one of its objects is deleted', /^before delete .registry.configmaps.x.precious/],
    ['just before its own status is written', /^before update .registry.namespaces.x .*"conditions"/],
  ])('that came %s', async (_, moment) => {
    await expectUntouched(await replacing((call) => moment.test(call))());
  });

  it('though both follow each other as fast as they can', { timeout: 30_000 }, async () => {
    const { ask } = await openServer();
    for (let round = 0; round < 30; round += 1) {
      await expect
        .poll(async () => (await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } })).status, {
          interval: 1,
          timeout: 10_000,
        })
        .toBe(201);
      const { status } = await ask('POST', `${space}/configmaps`, { metadata: { name: 'precious' } });
      expect(status).toBe(201);
      for (let looks = 0; looks < 10; looks += 1) expect((await ask('GET', precious)).status).toBe(200);
      await ask('DELETE', space);
    }
  });
});
