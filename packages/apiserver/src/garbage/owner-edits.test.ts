import { expect, it, onTestFinished } from 'vitest';
import { LocalStore } from '../store/local-store.ts';
import { SqliteEngine } from '../store/sqlite/sqlite-engine.ts';
import { temporaryDirectory } from '../store/testing/temporary-directory.ts';
import { wrappedStore } from '../store/testing/wrapped-store.ts';
import { create, remove, textOf } from '../store/testing/writing.ts';
import { editOwners } from './owner-edits.ts';

const key = '/registry/configmaps/default/a';
const item = { key, namespace: 'default', name: 'a', uid: 'first' };
const objectOf = (uid: string): string =>
  JSON.stringify({ metadata: { name: 'a', uid, ownerReferences: [{ name: 'owner', uid: 'owner' }] } });

async function opened(uid: string) {
  const store = new LocalStore(new SqliteEngine({ directory: temporaryDirectory() }));
  onTestFinished(() => store[Symbol.asyncDispose]());
  await create(store, key, objectOf(uid));
  return store;
}

const valueIn = async (store: LocalStore) => textOf((await store.get(key)).entry);

it('CP-1: owners are taken from the object itself', async () => {
  const store = await opened('first');
  await editOwners(store, item, () => []);
  expect(await valueIn(store)).toBe('{"metadata":{"name":"a","uid":"first"}}');
});

it('CP-1: owners are not taken from an object that has taken its name', async () => {
  const store = await opened('second');
  await editOwners(store, item, () => []);
  expect(await valueIn(store)).toBe(objectOf('second'));
});

it('CP-1: nor from one that takes its name meanwhile', async () => {
  const store = await opened('first');
  let isDue = true;
  const replacing = wrappedStore(store, {
    write: async (write) => {
      if (isDue) {
        isDue = false;
        await remove(store, key, 2);
        await create(store, key, objectOf('second'));
      }
      return store.write(write);
    },
  });
  await editOwners(replacing, item, () => []);
  expect(await valueIn(store)).toBe(objectOf('second'));
});
