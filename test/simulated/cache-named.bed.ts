/** Named requests to registered resources on simulated clusters: from the cache, as the members would answer (CACHE-7, CACHE-8). */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { versionFirst } from './src/cached-differential/shown.ts';
import { grant, revoke } from './src/granting.ts';
import { maps, memberNames, type NamedScene, shop, startNamedScene } from './src/named-scene.ts';
import { endpoint, mapIn, register } from './src/registering.ts';
import { type Sent, send } from './src/send.ts';

let scene: NamedScene;
beforeAll(async () => {
  scene = await startNamedScene();
}, 180_000);
afterAll(() => scene?.[Symbol.asyncDispose]());

const settled = { timeout: 30_000, interval: 50 };
const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
const table = as('Table');
const live = (path: string) => `${path}${path.includes('?') ? '&' : '?'}consistent=true`;

/** The positions of other clusters move with whatever happens there. */
const withOwnVersion = (text: string, member: string): string =>
  sameOrder(text).replace(
    /"resourceVersion":"(ey[^"]*)"/g,
    (_, map: string) => `"resourceVersion":"of ${mapIn(map)[member]}"`,
  );

/** With everything as it came, but for what simulated members write in one of two places. */
function sameOrder(text: string): string {
  if (!text.startsWith('{')) return text;
  const end = text.endsWith('\n') ? '\n' : '';
  return JSON.stringify(JSON.parse(text), versionFirst) + end;
}

const comparable = ({ status, headers, text, warnings }: Sent, member: string) => ({
  status,
  type: headers['content-type'],
  warnings,
  text: withOwnVersion(text, member),
});

describe('CACHE-17: a named GET from the cache has the bytes of the member', () => {
  const kinds = [
    ['a ConfigMap', `${maps}/only-member2`],
    ['a Pod', `${shop}/pods/pod-member2`],
    ['a Namespace', '/api/v1/namespaces/of-member2'],
    ['a Deployment', '/apis/apps/v1/namespaces/shop/deployments/web-member2'],
    ['a custom resource', '/apis/example.dev/v1/namespaces/shop/widgets/widget-member2'],
    ['a suffixed name', `${maps}/settings.clusterspace.member2`],
    ['a suffixed namespace', '/api/v1/namespaces/shop.clusterspace.member2/configmaps/settings'],
  ];
  const forms: [string, Record<string, string>, string][] = [
    ['JSON', {}, ''],
    ['version 0', {}, '?resourceVersion=0'],
    ['a version', {}, '?resourceVersion=1'],
    ['a Table', table, ''],
    ['a Table with objects', table, '?includeObject=Object'],
    ['a Table without objects', table, '?includeObject=None'],
    ['metadata', as('PartialObjectMetadata'), ''],
    ["kubectl's form", { accept: `${table.accept},application/json` }, ''],
  ];
  it.each(kinds)('%s', async (_, path) => {
    for (const [form, headers, query] of forms) {
      // Simulated nodes may still write the pod, and seconds pass in cells.
      await vi.waitFor(async () => {
        const cached: Sent[] = [];
        const asked = await scene.askedWhile(async () => cached.push(await scene.get(`${path}${query}`, headers)));
        expect([form, asked, cached[0]!.status]).toEqual([form, [], 200]);
        const answered = await scene.get(live(`${path}${query}`), headers);
        expect([form, comparable(cached[0]!, 'member2')]).toEqual([form, comparable(answered, 'member2')]);
      }, settled);
    }
  });

  it.each(['', '&consistent=true'])('URL-6: the old path of a watch of one object streams it%s', async (more) => {
    const { status, text } = await scene.get(`/api/v1/watch/${maps.slice(8)}/only-member2?timeoutSeconds=1${more}`);
    const shown = text.match(/"type":"\w+"|"name":"[^"]+"/g)?.join();
    expect([status, shown]).toEqual([200, '"type":"ADDED","name":"only-member2"']);
  });

  it('CACHE-9, RV-4: it has the annotation, and the map of all clusters as its version', async () => {
    const { text } = await scene.get(`${maps}/only-member2`);
    const { metadata } = JSON.parse(text) as { metadata: { resourceVersion: string; annotations: object } };
    expect(metadata.annotations).toEqual({ 'resource.karmada.io/cached-from-cluster': 'member2' });
    expect(Object.keys(mapIn(metadata.resourceVersion))).toEqual(memberNames);
    const again = await scene.get(`${maps}/only-member2?resourceVersion=${metadata.resourceVersion}`);
    expect(again.status).toBe(200);
  });

  it.each([
    ['a form of an older version', as('Table').accept.replace('v=v1', 'v=v1beta1'), ''],
    ['a layout for people', 'application/json', '?pretty=true'],
    ['no such includeObject', table.accept, '?includeObject=Nothing'],
    ['no version at all', 'application/json', '?resourceVersion=many'],
    ['a version to come', 'application/json', '?resourceVersion=999999999'],
    ['protobuf alone', 'application/vnd.kubernetes.protobuf', ''],
    ['a list of one object', as('PartialObjectMetadataList').accept, ''],
  ])('what the cache cannot answer exactly is the member’s answer: %s', async (_, accept, query) => {
    const path = `${maps}/only-member2${query}`;
    const timeless = ({ text, ...rest }: Sent) =>
      comparable({ ...rest, text: text.replace(/, current: \d+/, '') }, 'member2');
    // Between the two a second may pass, which the cells of a Table show.
    await vi.waitFor(async () => {
      const [one, other] = [await scene.get(path, { accept }), await scene.get(live(path), { accept })];
      expect(timeless(one)).toEqual(timeless(other));
    }, settled);
  });

  it('LIST-7, CACHE-8: what several have is 409 without asking them; what none has is looked for in all of them', async () => {
    const answers: Sent[] = [];
    const several = await scene.askedWhile(async () => answers.push(await scene.get(`${maps}/settings`)));
    expect(several).toEqual([]);
    expect(answers[0]).toMatchObject({ status: 409 });
    for (const member of memberNames) expect(answers[0]!.text).toContain(`settings.clusterspace.${member}`);
    const none = await scene.askedWhile(async () => answers.push(await scene.get(`${maps}/none`)));
    expect(none.filter((one) => one.includes('/none')).toSorted()).toEqual(
      memberNames.map((member) => `${member} GET ${maps}/none`),
    );
    expect(answers[1]).toMatchObject({ status: 404 });
    expect(answers[1]!.text).toBe((await scene.get(live(`${maps}/none`))).text);
  });

  it('CACHE-7: what was just made past this server is found, own writes are read', async () => {
    for (let index = 0; index < 10; index++) {
      await scene.clientOf('member1').create(maps, { metadata: { name: `made-${index}` } });
      expect(await scene.get(`${maps}/made-${index}`)).toMatchObject({ status: 200 });
      const patched = await send(scene.admin, {
        method: 'PATCH',
        path: `${endpoint}${maps}/made-${index}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data: { index: String(index) } }),
      });
      expect(patched.status).toBe(200);
      expect(JSON.parse((await scene.get(`${maps}/made-${index}`)).text)).toMatchObject({
        data: { index: String(index) },
      });
      await send(scene.admin, { method: 'DELETE', path: `${endpoint}${maps}/made-${index}` });
      expect(await scene.get(`${maps}/made-${index}`)).toMatchObject({ status: 404 });
    }
  });
});

describe('IMP-3: a named GET is answered from the cache by the member’s own yes for that name', () => {
  it('who may not get it is refused by the member, who may is served; a revoked yes ends', async () => {
    const { fleet } = scene;
    const alice = await fleet.config({ name: 'alice' });
    await grant(fleet.controlPlane, 'alice', 'alice', [
      { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
    ]);
    const read = (name: string) => send(alice, { path: `${endpoint}${maps}/${name}` });
    // Permission to list is none to get.
    await grant(scene.clientOf('member2'), 'lists', 'alice', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] },
    ]);
    const refused = await scene.askedWhile(async () =>
      expect(await read('only-member2')).toMatchObject({ status: 404 }),
    );
    expect(refused).toContain(`member2 GET ${maps}/only-member2`);
    const suffixed = await read('only-member2.clusterspace.member2');
    expect(suffixed).toMatchObject({
      status: 403,
      text: expect.stringContaining('cannot get resource \\"configmaps\\"'),
    });
    await grant(scene.clientOf('member2'), 'one', 'alice', [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['only-member2'], verbs: ['get'] },
    ]);
    await vi.waitFor(async () => {
      const asked = await scene.askedWhile(async () =>
        expect(await read('only-member2')).toMatchObject({ status: 200 }),
      );
      expect(asked.filter((one) => one.startsWith('member2 GET') && one.includes('only-'))).toEqual([]);
    }, settled);
    expect(await read('settings')).toMatchObject({ status: 404 });
    await revoke(scene.clientOf('member2'), 'one');
    await vi.waitFor(async () => expect(await read('only-member2')).toMatchObject({ status: 404 }), {
      timeout: 1_000,
      interval: 20,
    });
  });
});

describe('CACHE-8: the cluster of a name is found in the cache', () => {
  /** What other members were asked for. */
  const othersThan = (asked: readonly string[], member: string) => asked.filter((one) => !one.startsWith(`${member} `));

  it.each([
    ['the aggregation endpoint', endpoint],
    ['the merged view', ''],
    ['all members under plain names', '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy'],
  ])('%s: only the member that has it is asked', async (_, view) => {
    const answers: Sent[] = [];
    const path = `${view}${shop}/pods/pod-member1`;
    await vi.waitFor(async () => {
      const { text } = await send(scene.admin, { path });
      expect(JSON.parse(text)).toMatchObject({ status: { phase: 'Running' } });
    }, settled);
    const requests = [
      { path: `${path}/log?tailLines=1` },
      { path: `${path}/status` },
      {
        method: 'PATCH',
        path,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ metadata: { annotations: { patched: view } } }),
      },
    ];
    for (const request of requests) {
      await vi.waitFor(async () => {
        const asked = await scene.askedWhile(async () => answers.push(await send(scene.admin, request)));
        expect(answers.at(-1)).toMatchObject({ status: 200 });
        // Positions of others are no look for the object.
        expect(othersThan(asked, 'member1').filter((one) => one.includes('pod-member1'))).toEqual([]);
        expect(asked.filter((one) => one.startsWith('member1 '))).toHaveLength(1);
      }, settled);
    }
  });

  it('a write that looks for its object is no write to the others: their lists still come from the cache', async () => {
    const patched = await send(scene.admin, {
      method: 'PATCH',
      path: `${endpoint}${live(`${maps}/only-member1`)}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ data: { a: 'b' } }),
    });
    expect(patched.status).toBe(200);
    const asked = await scene.askedWhile(() => scene.get(maps));
    expect(othersThan(asked, 'member1')).toEqual([]);
  });
});

describe('CACHE-15: the search endpoint', () => {
  const search = '/apis/search.karmada.io/v1alpha1/search/cache';

  it('lists a registered namespace, and a warning where all are asked for', async () => {
    await register(scene.fleet.controlPlane, 'secrets-of-shop', {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'shop' }],
    });
    await vi.waitFor(async () => {
      expect(await send(scene.admin, { path: `${search}${shop}/secrets` })).toMatchObject({ status: 200 });
    }, settled);
    const all = await send(scene.admin, { path: `${search}/api/v1/secrets` });
    expect(all).toMatchObject({
      status: 503,
      text: expect.stringContaining('\\"member1\\" has only some namespaces in the cache: name one'),
    });
    await scene.fleet.controlPlane.delete('/apis/search.karmada.io/v1alpha1/resourceregistries/secrets-of-shop');
    await vi.waitFor(async () => {
      expect(await send(scene.admin, { path: `${search}/api/v1/secrets` })).toMatchObject({ status: 200 });
    }, settled);
  });
  const namesIn = ({ text }: Sent) =>
    (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);

  it('lists from the cache, and asks nobody', async () => {
    const answers: Sent[] = [];
    const asked = await scene.askedWhile(async () => {
      answers.push(await send(scene.admin, { path: `${search}${maps}?labelSelector=of`, headers: table }));
      answers.push(await send(scene.admin, { path: `${search}${maps}/settings` }));
      answers.push(await send(scene.admin, { path: `${search}${maps}/none` }));
    });
    expect(asked).toEqual([]);
    const [all, settings, none] = answers;
    expect(JSON.parse(all!.text)).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(namesIn(all!)).toEqual(memberNames.flatMap((member) => [`only-${member}`, 'settings']));
    expect(namesIn(settings!)).toEqual(['settings', 'settings', 'settings']);
    expect(settings!.text).toContain('"resource.karmada.io/cached-from-cluster":"member1"');
    expect(namesIn(none!)).toEqual([]);
  });

  it('GET alone; what is not registered is an empty list, what nobody knows 404', async () => {
    expect(await send(scene.admin, { method: 'DELETE', path: `${search}${maps}/settings` })).toMatchObject({
      status: 405,
    });
    // As Karmada answers: always a list.
    const unregistered = await send(scene.admin, { path: `${search}/api/v1/secrets` });
    expect(unregistered.status).toBe(200);
    expect(JSON.parse(unregistered.text)).toMatchObject({ kind: 'SecretList', apiVersion: 'v1', items: [] });
    expect(await send(scene.admin, { path: `${search}/apis/none.dev/v1/nothings` })).toMatchObject({ status: 404 });
  });

  it('IMP-3: a member that refuses is left out', async () => {
    const { fleet } = scene;
    const dora = await fleet.config({ name: 'dora' });
    const list = () => send(dora, { path: `${search}${maps}?labelSelector=of` });
    expect(await list()).toMatchObject({
      status: 403,
      text: expect.stringContaining('cannot get resource \\"search\\"'),
    });
    await grant(fleet.controlPlane, 'dora', 'dora', [
      { apiGroups: ['search.karmada.io'], resources: ['search'], resourceNames: ['cache'], verbs: ['get'] },
    ]);
    const refused = expect.stringContaining('cannot list resource \\"configmaps\\"');
    await vi.waitFor(async () => expect(await list()).toMatchObject({ status: 403, text: refused }), settled);
    await grant(scene.clientOf('member2'), 'dora', 'dora', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    ]);
    await vi.waitFor(async () => expect(namesIn(await list())).toEqual(['only-member2', 'settings']), settled);
  });
});
