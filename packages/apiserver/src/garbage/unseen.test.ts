import { describe, expect, it, onTestFinished } from 'vitest';
import { type HeldWatch, heldWatch } from '../store/testing/held-watch.ts';
import { openServer, type TestServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const patient = { timeout: 10_000 };
const isThere = async ({ ask }: TestServer, name: string): Promise<boolean> =>
  (await ask('GET', `${maps}/${name}`)).status === 200;

/** A server whose collector receives events only when the test sends them. */
async function opened() {
  const watches: HeldWatch[] = [];
  const server = await openServer({
    store: (store) => {
      watches.push(heldWatch(store, '/registry/'));
      return watches[0]!.store;
    },
  });
  const watch = watches[0]!;
  onTestFinished(() => watch.goOn());
  const { ask } = server;
  const make = async (name: string, ownerReferences: object[] = []) => {
    const { status, body } = await ask('POST', maps, { metadata: { name, ownerReferences } });
    expect(status).toBe(201);
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata!['uid'], blockOwnerDeletion: true };
  };
  const none = '00000000-0000-4000-8000-000000000000';
  /** The collector has seen all earlier events when it has done this. */
  const hasSeenAll = async () => {
    await make('lost', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: none }]);
    await expect.poll(() => isThere(server, 'lost'), patient).toBe(false);
  };
  return { server, ask, watch, make, hasSeenAll };
}

/** An owner that is being deleted, which the collector knows, and a child that it does not know yet. */
async function unseenChild(propagationPolicy: string) {
  const all = await opened();
  const { server, ask, watch, make } = all;
  const owner = await make('owner');
  await all.hasSeenAll();
  watch.holdAfter(0);
  const { body } = await ask('DELETE', `${maps}/owner?propagationPolicy=${propagationPolicy}`);
  await make('child', [owner]);
  const asked = watch.asked;
  watch.holdAfter(Number(body.metadata!['resourceVersion']));
  // It asks for the state of the store, or has released the owner.
  await expect.poll(async () => watch.asked > asked || !(await isThere(server, 'owner')), patient).toBe(true);
  return all;
}

describe('CP-1: that an owner has no dependents is concluded only when everything was seen', () => {
  it('an orphan that is made while its owner goes stays', async () => {
    const { server, ask, watch, hasSeenAll } = await unseenChild('Orphan');
    expect(await isThere(server, 'owner')).toBe(true);
    watch.goOn();
    await expect.poll(() => isThere(server, 'owner'), patient).toBe(false);
    await hasSeenAll();
    const { status, body } = await ask('GET', `${maps}/child`);
    expect(status).toBe(200);
    expect(body.metadata).not.toHaveProperty('ownerReferences');
  });

  it('in the foreground an owner waits for a blocking child that is made while it goes', async () => {
    const { server, watch } = await unseenChild('Foreground');
    const events = await server.watch(`${maps}?watch=1&resourceVersion=0`);
    watch.goOn();
    const gone: unknown[] = [];
    while (gone.length < 2) {
      const { value } = await events.next();
      if (value.type === 'DELETED') gone.push(value.object.metadata['name']);
    }
    expect(gone).toEqual(['child', 'owner']);
  });
});

describe('CP-1: what happened while the collector saw nothing', () => {
  it('a child that went holds its owner no more', async () => {
    const { server, ask, watch, make, hasSeenAll } = await opened();
    await make('child', [await make('owner')]);
    await hasSeenAll();
    watch.holdAfter(0);
    await ask('DELETE', `${maps}/child`);
    watch.cut();
    await hasSeenAll();
    await ask('DELETE', `${maps}/owner?propagationPolicy=Foreground`);
    await expect.poll(() => isThere(server, 'owner'), patient).toBe(false);
  });

  it('a child whose owner went goes, too', async () => {
    const { server, ask, watch, make, hasSeenAll } = await opened();
    await make('child', [await make('owner')]);
    await hasSeenAll();
    watch.holdAfter(0);
    await ask('DELETE', `${maps}/owner?propagationPolicy=Background`);
    watch.cut();
    await expect.poll(() => isThere(server, 'child'), patient).toBe(false);
  });
});
