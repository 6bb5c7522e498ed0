/** Named requests to a registered member that is unreachable: its last known objects, for whom it allowed them last (CACHE-12). Aborted writes. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { grant, grantAllIn, reach } from './src/granting.ts';
import { maps, memberNames, type NamedScene, shop, startNamedScene } from './src/named-scene.ts';
import { endpoint } from './src/registering.ts';
import { send } from './src/send.ts';

let scene: NamedScene;
beforeAll(async () => {
  scene = await startNamedScene();
}, 180_000);
afterAll(() => scene?.[Symbol.asyncDispose]());

const settled = { timeout: 30_000, interval: 50 };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

it('CACHE-7: writes that a user aborts keep no other user from the cache', async () => {
  await grant(scene.fleet.controlPlane, 'mallory', 'mallory', [
    { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
  ]);
  const mallory = await scene.fleet.config({ name: 'mallory' });
  const path = `${maps}/only-member2.clusterspace.member2`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = { method: 'PATCH', path: `${endpoint}${path}`, headers, body: '{"data":{"a":"b"}}' };
  expect(await send(mallory, patch)).toMatchObject({ status: 403 });
  // At some of these times the member has the request, and has not answered it.
  for (let after = 1; after < 100; after += 4) {
    await send(mallory, { ...patch, signal: AbortSignal.timeout(after) }).catch(() => {});
    // An aborted write counted for 5 s.
    await vi.waitFor(
      async () => {
        const asked = await scene.askedWhile(() => scene.get(path));
        expect(asked.filter((one) => one.includes(' GET '))).toEqual([]);
      },
      { timeout: 2_000, interval: 50 },
    );
  }
});

describe('CACHE-12: a registered member that is unreachable', () => {
  const stale = /^299 - "cluster \\"member3\\" cannot be reached: its objects are those of \d{4}-\d\d-\d\dT[^"]*"$/;
  const own = `${maps}/only-member3`;
  const suffixed = `${own}.clusterspace.member3`;
  const json = { accept: 'application/json' };
  beforeAll(async () => {
    const bob = await scene.fleet.config({ name: 'bob' });
    await grant(scene.fleet.controlPlane, 'bob', 'bob', [
      { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
      reach('member3'),
    ]);
    for (const member of memberNames) {
      await grant(scene.clientOf(member), 'bob', 'bob', [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
      ]);
      await grantAllIn(scene.clientOf(member), 'mine', 'bob');
    }
    // Until the yes is one that is kept: right after a change of RBAC objects it is used once.
    const read = () => send(bob, { path: `${endpoint}${own}` });
    await vi.waitFor(async () => expect(await scene.reviewsWhile(read)).toBe(0), settled);
    const readOwn = () => send(bob, { path: `${endpoint}/api/v1/namespaces/mine.clusterspace.member3` });
    await vi.waitFor(async () => expect(await readOwn()).toMatchObject({ status: 200 }), settled);
    await vi.waitFor(async () => expect(await scene.get(own)).toMatchObject({ status: 200 }), settled);
    await scene.fleet.members.get('member3')![Symbol.asyncDispose]();
  });

  it('a named GET is its last known object, with one warning', async () => {
    const isStale = { status: 200, warnings: expect.stringMatching(stale) };
    // With version 0 the cache is served as it is: the warning comes once the stream could not be reopened.
    await vi.waitFor(async () => expect(await scene.get(`${own}?resourceVersion=0`)).toMatchObject(isStale), settled);
    for (const [path, headers] of [
      [own, json],
      [own, table],
      [suffixed, json],
    ] as const) {
      expect(await scene.get(path, headers)).toMatchObject(isStale);
    }
    expect(JSON.parse((await scene.get(own)).text)).toMatchObject({ data: { from: 'member3' } });
  });

  it.each([
    `${endpoint}/api/v1/namespaces/mine/namespaces/of-member2`,
    `${endpoint}/api/v1/namespaces/mine/namespaces/of-member2.clusterspace.member2`,
    `${endpoint}/api/v1/namespaces/mine/namespaces/of-member3`,
    `${endpoint}/api/v1/namespaces/mine.clusterspace.member3/namespaces/of-member3`,
    '/clusterspaces/member3/api/v1/namespaces/mine/namespaces/of-member3',
  ])('IMP-3: a Role in one namespace gives no other Namespace object, stale or not: %s', async (path) => {
    const bob = await scene.fleet.config({ name: 'bob' });
    for (const version of ['', '?resourceVersion=0']) {
      const { status, text } = await send(bob, { path: `${path}${version}`, headers: table });
      expect([403, 404, 503]).toContain(status);
      expect(text).not.toContain('columnDefinitions');
    }
  });

  it('on other paths as a Table and with version 0 alone', async () => {
    for (const path of [suffixed, `/clusterspaces/member3${own}`]) {
      expect(await send(scene.admin, { path, headers: table })).toMatchObject({
        status: 200,
        warnings: expect.stringMatching(stale),
      });
      expect(await send(scene.admin, { path: `${path}?resourceVersion=0` })).toMatchObject({
        status: 200,
        warnings: expect.stringMatching(stale),
      });
      const refused = await send(scene.admin, { path });
      expect(refused).toMatchObject({ status: 503, text: expect.stringContaining('member3') });
    }
  });

  it('NAME-8: fresh=true and consistent=true, and every other request', async () => {
    for (const parameter of ['fresh', 'consistent']) {
      for (const path of [own, suffixed, `${suffixed}?resourceVersion=0`]) {
        const answer = await scene.get(`${path}${path.includes('?') ? '&' : '?'}${parameter}=true`);
        expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('member3') });
      }
    }
    for (const method of ['DELETE', 'PATCH', 'PUT']) {
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const body = method === 'DELETE' ? '' : '{"metadata":{"name":"only-member3.clusterspace.member3"}}';
      const answer = await send(scene.admin, { method, path: `${endpoint}${suffixed}`, headers, body });
      expect(answer).toMatchObject({ status: 503 });
    }
    expect(await scene.get(`${shop}/pods/pod-member3.clusterspace.member3/log`)).toMatchObject({ status: 503 });
  });

  it('LIST-7: the name of another is not taken for the only one', async () => {
    // A read of what another has, with a warning; what the unreachable one had, too, is several.
    expect(await scene.get(`${maps}/only-member1`)).toMatchObject({
      status: 200,
      warnings: expect.stringContaining('"member3\\" was not looked in'),
    });
    expect(await scene.get(`${maps}/settings`)).toMatchObject({
      status: 409,
      text: expect.stringContaining('settings.clusterspace.member3'),
    });
    expect(await scene.get(`${maps}/none`)).toMatchObject({ status: 503, text: expect.stringContaining('member3') });
    const written = await send(scene.admin, { method: 'DELETE', path: `${endpoint}${maps}/only-member1` });
    expect(written).toMatchObject({ status: 503, text: expect.stringContaining('member3') });
    expect(await scene.clientOf('member1').get(`${maps}/only-member1`)).toBeDefined();
  });

  it('IMP-3: by the last yes of the past day, and by none without one', async () => {
    const bob = await scene.fleet.config({ name: 'bob' });
    const carol = await scene.fleet.config({ name: 'carol' });
    await grant(scene.fleet.controlPlane, 'carol', 'carol', [
      { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
    ]);
    const path = `${endpoint}${own}`;
    expect(await send(bob, { path })).toMatchObject({ status: 200, warnings: expect.stringMatching(stale) });
    expect(await send(carol, { path })).toMatchObject({ status: 503 });
  });

  it('CACHE-15, LIST-4: the search endpoint lists its last known objects; fresh=true reports it as missing', async () => {
    const path = `/apis/search.karmada.io/v1alpha1/search/cache${maps}`;
    expect(await send(scene.admin, { path })).toMatchObject({ status: 200, warnings: expect.stringMatching(stale) });
    const missing = { status: 503, text: expect.stringContaining('member3') };
    expect(await send(scene.admin, { path: `${path}?fresh=true` })).toMatchObject(missing);
  });
});
