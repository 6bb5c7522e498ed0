import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { configMaps, secrets } from '../kinds/core.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { Registry } from '../registry/registry.ts';
import type { ObjectStore, StoreWatch } from '../store/object-store.ts';
import { untilBroken } from '../store/testing/until-broken.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { openServer, type TestServer } from '../testing/open-server.ts';

const namespace = 'default';
const maps = `/api/v1/namespaces/${namespace}/configmaps`;
const merge = { 'content-type': 'application/merge-patch+json' };
const dependents = 20;
/** Objects between owner and dependents in the store: more than the collector reads at once. */
const between = 150;
const patient = { timeout: 10_000 };

const ownedBy = (uid: unknown) => [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: String(uid) }];
const blocking = (uid: unknown) => ownedBy(uid).map((owner) => ({ ...owner, blockOwnerDeletion: true }));

const isThere = async ({ ask }: TestServer, name: string): Promise<boolean> =>
  (await ask('GET', `${maps}/${name}`)).status === 200;

/** An owner, and Secrets that it owns. */
async function makeFamily(store: ObjectStore): Promise<Registry> {
  const owners = Registry.unwatched(store, configMaps);
  const owned = Registry.unwatched(store, secrets);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } };
  const { uid } = (await owners.create(owner, { namespace })).metadata;
  const others = Array.from({ length: between }, (_, index) => ({ ...owner, metadata: { name: `padding-${index}` } }));
  await Promise.all(others.map((other) => owners.create(other, { namespace })));
  for (let index = 0; index < dependents; index += 1) {
    const metadata = { name: `child-${index}`, labels: { owned: 'true' }, ownerReferences: ownedBy(uid) };
    await owned.create({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata }, { namespace });
  }
  return owners;
}

async function expectOrphans(server: TestServer): Promise<void> {
  const left = async (): Promise<KubeObject[]> => {
    const { body } = await server.ask('GET', `/api/v1/namespaces/${namespace}/secrets?labelSelector=owned`);
    return body.items as KubeObject[];
  };
  await expect.poll(() => isThere(server, 'owner'), patient).toBe(false);
  // An object without a remaining owner would be deleted now.
  const owned = async () => (await left()).filter(({ metadata }) => metadata.ownerReferences);
  await expect.poll(owned, patient).toEqual([]);
  expect(await left()).toHaveLength(dependents);
}

/** An owner is read long before its dependents. */
const slowToReadDependents = (store: ObjectStore): ObjectStore =>
  wrappedStore(store, {
    range: async (query) => {
      const range = await store.range(query);
      if (!range.entries.some(({ key }) => key.includes('/child-'))) return range;
      for (let turns = 0; turns < 50; turns += 1) await turn();
      return range;
    },
  });

/** Its watches can be ended, as happens to those that fall too far behind. */
function breakable(store: ObjectStore) {
  const breaks = new Set<(error: Error) => void>();
  const watch = (prefix: string, after: number): StoreWatch => {
    const opened = store.watch(prefix, after);
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    if ('/registry/secrets/'.startsWith(prefix)) breaks.add(broken.reject);
    return {
      requestProgress: () => opened.requestProgress(),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      [Symbol.asyncIterator]: () => untilBroken(opened, broken.promise),
    };
  };
  return {
    store: wrappedStore(store, { watch }),
    breakAll: (): void => {
      for (const reject of breaks) reject(new Error('cut'));
    },
  };
}

describe('orphan deletion deletes no dependent', () => {
  it('after the watch that knew of it was cut', async () => {
    let breakAll = (): void => undefined;
    const server = await openServer({
      store: async (store) => {
        await makeFamily(store);
        const wrapped = breakable(slowToReadDependents(store));
        breakAll = wrapped.breakAll;
        return wrapped.store;
      },
    });
    // The collector has processed all earlier events when it has done this.
    const ownerReferences = [{ ...ownedBy('00000000-0000-4000-8000-000000000000')[0], name: 'gone' }];
    await server.ask('POST', maps, { metadata: { name: 'lost', ownerReferences } });
    await expect.poll(() => isThere(server, 'lost')).toBe(false);
    breakAll();
    await turn();
    await server.ask('DELETE', `${maps}/owner?propagationPolicy=Orphan`);
    await expectOrphans(server);
  });

  it('after a restart, when the owner is seen long before its dependents', async () => {
    const server = await openServer({
      store: async (store) => {
        const owners = await makeFamily(store);
        await owners.delete('owner', { namespace, propagationPolicy: 'Orphan' });
        return slowToReadDependents(store);
      },
    });
    await expectOrphans(server);
  });
});

describe('foreground deletion ends', () => {
  it.each([
    ['loses its ownerReferences', () => null],
    ['blocks it no more', ownedBy],
  ])('when a child that blocks it %s', async (_, ownersThen) => {
    const server = await openServer();
    const { uid } = (await server.ask('POST', maps, { metadata: { name: 'owner' } })).body.metadata!;
    const finalizers = ['example.com/hold'];
    await server.ask('POST', maps, { metadata: { name: 'child', finalizers, ownerReferences: blocking(uid) } });
    await server.ask('DELETE', `${maps}/owner?propagationPolicy=Foreground`);
    const child = async () => (await server.ask('GET', `${maps}/child`)).body.metadata;
    await expect.poll(child).toHaveProperty('deletionTimestamp');
    expect(await isThere(server, 'owner')).toBe(true);
    await server.ask('PATCH', `${maps}/child`, { metadata: { ownerReferences: ownersThen(uid) } }, merge);
    await expect.poll(() => isThere(server, 'owner')).toBe(false);
    expect(await isThere(server, 'child')).toBe(true);
  });

  it('when two objects own and block each other', async () => {
    const server = await openServer();
    const make = async (name: string, ownerReferences: object[] = []) =>
      (await server.ask('POST', maps, { metadata: { name, ownerReferences } })).body.metadata!['uid'];
    const first = await make('owner');
    const second = await make('child', blocking(first));
    const ownerReferences = [{ ...blocking(second)[0], name: 'child' }];
    await server.ask('PATCH', `${maps}/owner`, { metadata: { ownerReferences } }, merge);
    await server.ask('DELETE', `${maps}/owner?propagationPolicy=Foreground`);
    await expect.poll(() => isThere(server, 'owner'), patient).toBe(false);
    await expect.poll(() => isThere(server, 'child'), patient).toBe(false);
  });
});

it('a finalizer is removed only from the object that was read, not from its successor', async () => {
  const replaced = Promise.withResolvers<void>();
  const finalizers = ['orphan', 'example.com/own'];
  const server = await openServer({
    store: async (store) => {
      const owners = Registry.unwatched(store, configMaps);
      const owner = (held: string[]) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'owner', finalizers: held },
      });
      await owners.create(owner(['orphan']), { namespace });
      await owners.delete('owner', { namespace });
      let reads = 0;
      return wrappedStore(store, {
        get: async (key) => {
          if (key !== `/registry/configmaps/${namespace}/owner`) return store.get(key);
          reads += 1;
          if (reads !== 2) return store.get(key);
          const { metadata: _, ...rest } = owner([]);
          await owners.update('owner', { namespace }, (old) => ({
            ...rest,
            metadata: { ...old!.metadata, finalizers: [] },
          }));
          await owners.create(owner(finalizers), { namespace });
          replaced.resolve();
          return store.get(key);
        },
      });
    },
  });
  await replaced.promise;
  // The collector is done with the owner when it has collected an object created later.
  const ownerReferences = [{ ...ownedBy('00000000-0000-4000-8000-000000000000')[0], name: 'gone' }];
  await server.ask('POST', maps, { metadata: { name: 'lost', ownerReferences } });
  await expect.poll(() => isThere(server, 'lost')).toBe(false);
  expect((await server.ask('GET', `${maps}/owner`)).body.metadata).toMatchObject({ finalizers });
});
