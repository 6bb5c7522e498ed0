/** The aggregation endpoint over simulated clusters: what is registered comes from members, everything else from the control plane. */

import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  CoreV1Api,
  Exec,
  type Informer,
  type KubeConfig,
  KubernetesObjectApi,
  Log,
  makeInformer,
  type ObjectCache,
  PatchStrategy,
  type V1Pod,
  type V1Status,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SimulatedFleet } from './src/fleet.ts';
import { grant, revoke } from './src/granting.ts';
import { endpoint, mapIn, pod, startRegistered, watching } from './src/registering.ts';
import { requestAs } from './src/request.ts';

let fleet: SimulatedFleet;
let admin: KubeConfig;
let root: KubeConfig;
beforeAll(async () => {
  fleet = await startRegistered();
  root = await fleet.config();
  admin = await fleet.config(undefined, endpoint);
});
afterAll(() => fleet[Symbol.asyncDispose]());

const settled = { timeout: 30_000, interval: 50 };
const namespace = 'shop';
const pods = '/api/v1/namespaces/shop/pods';
const maps = '/api/v1/namespaces/shop/configmaps';
const clientOf = (name: string) => fleet.members.get(name)!.client;
const cachedFrom = 'resource.karmada.io/cached-from-cluster';
const get = (path: string, headers = {}, config = root) => requestAs(config, `${endpoint}${path}`, headers);

describe('the aggregation proxy proposal', () => {
  it('story 1: a controller lists and watches pods, and marks each once by a patch', async () => {
    const api = admin.makeApiClient(CoreV1Api);
    const marked = new Set<string>();
    const list = () => api.listNamespacedPod({ namespace });
    const informer: Informer<V1Pod> & ObjectCache<V1Pod> = makeInformer(admin, pods, list);
    const mark = async ({ metadata, status }: V1Pod) => {
      if (!status?.podIP || metadata!.annotations?.['routed'] || marked.has(metadata!.uid!)) return;
      marked.add(metadata!.uid!);
      const body = { metadata: { annotations: { ...metadata!.annotations, routed: status.podIP } } };
      await KubernetesObjectApi.makeApiClient(admin).patch(
        { apiVersion: 'v1', kind: 'Pod', ...body, metadata: { ...body.metadata, name: metadata!.name!, namespace } },
        undefined,
        undefined,
        undefined,
        undefined,
        PatchStrategy.MergePatch,
      );
    };
    for (const verb of ['add', 'update'] as const) informer.on(verb, (one) => void mark(one));
    informer.on('error', () => void setTimeout(() => void informer.start(), 100));
    await clientOf('member1').create(pods, pod('one'));
    await informer.start();
    await clientOf('member2').create(pods, pod('two'));
    const routed = async (member: string, name: string) => {
      const { metadata } = await clientOf(member).get<V1Pod>(`${pods}/${name}`);
      expect(metadata!.annotations).toEqual({ routed: expect.stringMatching(/^\d+\./) });
    };
    await vi.waitFor(() => routed('member1', 'one'), settled);
    await vi.waitFor(() => routed('member2', 'two'), settled);
    // Made anew, it is eligible again.
    await clientOf('member2').delete(`${pods}/two?gracePeriodSeconds=0`);
    await clientOf('member2').create(pods, pod('two'));
    await vi.waitFor(() => routed('member2', 'two'), settled);
    await informer.stop();
    expect(marked.size).toBe(3);
  });

  it('story 2: logs of a pod whose cluster the user does not know; a command in it', async () => {
    const { items } = await admin.makeApiClient(CoreV1Api).listPodForAllNamespaces();
    const found = items.find(({ metadata }) => metadata?.name === 'two');
    expect(found?.metadata?.annotations?.[cachedFrom]).toBe('member2');
    await vi.waitFor(async () => {
      expect(await clientOf('member2').get(`${pods}/two`)).toMatchObject({ status: { phase: 'Running' } });
    }, settled);
    const stream = new PassThrough();
    await new Log(admin).log(namespace, 'two', 'web', stream, { tailLines: 2 });
    expect((await text(stream)).trim().split('\n')).toHaveLength(2);
    const written: Buffer[] = [];
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        written.push(chunk);
        done();
      },
    });
    const { promise: status, resolve } = Promise.withResolvers<V1Status>();
    await new Exec(admin).exec(namespace, 'two', 'web', ['hostname'], stdout, null, null, false, resolve);
    expect(await status).toMatchObject({ status: 'Success' });
    expect(Buffer.concat(written).toString()).toBe('two\n');
  });
});

describe('reads', () => {
  it('CACHE-9, RV-4: a list has plain names, the annotation, own versions, and the map', async () => {
    const { body } = await get(`${maps}?labelSelector=test`);
    const list = body as { metadata: { resourceVersion: string }; items: { metadata: Record<string, string> }[] };
    expect(list.items.map(({ metadata }) => [metadata['name'], metadata['annotations']])).toEqual(
      ['only-member1', 'settings', 'only-member2', 'settings'].map((name, index) => [
        name,
        { [cachedFrom]: index < 2 ? 'member1' : 'member2' },
      ]),
    );
    for (const { metadata } of list.items) expect(metadata['resourceVersion']).toMatch(/^\d+$/);
    expect(Object.keys(mapIn(list.metadata.resourceVersion))).toEqual(['member1', 'member2']);
    // The version of a list moves with whatever else happens in a member.
    const short = await requestAs(root, `/apis/search.karmada.io/v1alpha1/proxying${maps}?labelSelector=test`);
    expect(short.body).toEqual({ ...list, metadata: { resourceVersion: expect.any(String) } });
  });

  it('RV-4: a GET has the map, with its own version for its cluster', async () => {
    const own = await clientOf('member2').get<{ metadata: { resourceVersion: string } }>(`${maps}/only-member2`);
    const { body } = await get(`${maps}/only-member2`);
    const { metadata } = body as { metadata: { resourceVersion: string; annotations: object } };
    expect(metadata.annotations).toEqual({ [cachedFrom]: 'member2' });
    const version = expect.stringMatching(/^\d+$/);
    expect(mapIn(metadata.resourceVersion)).toEqual({ member1: version, member2: own.metadata.resourceVersion });
  });

  it('CACHE-8: a name that several have is 409 naming them; suffixed names are accepted; none is 404', async () => {
    expect(await get(`${maps}/settings`)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/settings\.clusterspace\.member1.*settings\.clusterspace\.member2/) },
    });
    expect(await get(`${maps}/settings.clusterspace.member2`)).toMatchObject({
      status: 200,
      body: { metadata: { name: 'settings.clusterspace.member2' }, data: { from: 'member2' } },
    });
    expect(await get(`${maps}/none`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
  });

  it('LIST-6: a Table has the column CLUSTER', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { body } = await get(`${maps}?labelSelector=test`, { accept });
    const { columnDefinitions, rows } = body as { columnDefinitions: { name: string }[]; rows: { cells: string[] }[] };
    expect(columnDefinitions.at(-1)?.name).toBe('CLUSTER');
    expect(rows.map(({ cells }) => cells.at(-1))).toEqual(['member1', 'member1', 'member2', 'member2']);
  });

  it('CACHE-10: what is not registered is the control plane’s', async () => {
    const clusters = await get('/apis/cluster.karmada.io/v1alpha1/clusters');
    expect(clusters.body).toMatchObject({
      items: [{ metadata: { name: 'member1' } }, { metadata: { name: 'member2' } }],
    });
    const { body } = await get('/api/v1/namespaces');
    const names = (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    expect(names).toContain('karmada-cluster');
    expect(names).not.toContain(namespace);
    expect(await get('/version')).toMatchObject({ status: 200, body: { gitVersion: expect.stringMatching(/^v1\./) } });
  });

  it('RV-4, WATCH-4: a watch resumes from the version of its last event, with nothing lost or doubled', async () => {
    const { body } = await get(maps);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const put = (member: string, name: string) =>
      clientOf(member).create(maps, { metadata: { name, labels: { test: 'watched' } } });
    await using first = await watching(admin, maps, { resourceVersion });
    await put('member1', 'first');
    await vi.waitUntil(() => first.seen.length === 1, settled);
    await put('member2', 'second');
    await vi.waitUntil(() => first.seen.length === 2, settled);
    const [before, last] = first.seen;
    expect(mapIn(last!.version)).toMatchObject({ member1: mapIn(before!.version)['member1'] });
    await using second = await watching(admin, maps, { resourceVersion: before!.version });
    await put('member1', 'third');
    await vi.waitUntil(() => second.seen.length === 2, settled);
    expect(second.events()).toEqual(['ADDED second member2', 'ADDED third member1']);
    for (const [member, name] of [
      ['member1', 'first'],
      ['member2', 'second'],
      ['member1', 'third'],
    ] as const) {
      await clientOf(member).delete(`${maps}/${name}`);
    }
  });
});

describe('writes', () => {
  it('CACHE-8: a create needs a cluster, else the message of the 405 names how', async () => {
    const api = admin.makeApiClient(CoreV1Api);
    const create = (name: string) =>
      api.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: {} } });
    await expect(create('made')).rejects.toMatchObject({
      code: 405,
      body: expect.stringContaining('{name}.clusterspace.{cluster}'),
    });
    expect((await create('made.clusterspace.member2')).metadata?.name).toBe('made.clusterspace.member2');
    expect(await clientOf('member2').get(`${maps}/made`)).toBeDefined();
  });

  it('RV-5, CACHE-9: what was read is written back once; the second time it is a conflict', async () => {
    const api = admin.makeApiClient(CoreV1Api);
    const at = { namespace, name: 'made' };
    const read = await api.readNamespacedConfigMap(at);
    expect(Object.keys(mapIn(read.metadata!.resourceVersion!))).toEqual(['member1', 'member2']);
    const replaced = await api.replaceNamespacedConfigMap({ ...at, body: { ...read, data: { a: '1' } } });
    expect(replaced.metadata?.resourceVersion).toMatch(/^\d+$/);
    const stored = await clientOf('member2').get<{ metadata: { annotations?: object } }>(`${maps}/made`);
    expect(stored).toMatchObject({ data: { a: '1' } });
    expect(stored.metadata.annotations ?? {}).toEqual({});
    const again = api.replaceNamespacedConfigMap({ ...at, body: { ...read, data: { a: '2' } } });
    await expect(again).rejects.toMatchObject({ code: 409 });
    const otherVersion = Buffer.from('{"member1":"1"}').toString('base64url');
    const unseen = { ...read, metadata: { ...read.metadata, resourceVersion: otherVersion } };
    await expect(api.replaceNamespacedConfigMap({ ...at, body: unseen })).rejects.toMatchObject({ code: 409 });
  });

  it('patches, subresources and deletes go to the member that has it', async () => {
    const api = admin.makeApiClient(CoreV1Api);
    const patch = [{ op: 'add', path: '/data/b', value: '2' }];
    await api.patchNamespacedConfigMap({ namespace, name: 'made', body: patch });
    expect(await clientOf('member2').get(`${maps}/made`)).toMatchObject({ data: { a: '1', b: '2' } });
    await api.deleteNamespacedConfigMap({ namespace, name: 'made' });
    await expect(clientOf('member2').get(`${maps}/made`)).rejects.toMatchObject({ code: 404 });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'one', namespace } };
    await api.createNamespacedPodEviction({ namespace, name: 'one', body: eviction });
    await vi.waitFor(
      () => expect(clientOf('member1').get(`${pods}/one`)).rejects.toMatchObject({ code: 404 }),
      settled,
    );
    await expect(api.deleteCollectionNamespacedPod({ namespace })).rejects.toMatchObject({ code: 405 });
  });
});

describe('permissions', () => {
  const proxying = (...verbs: string[]) => ({
    apiGroups: ['search.karmada.io'],
    resources: ['proxying/proxy'],
    resourceNames: ['karmada'],
    verbs,
  });
  const readers = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] };

  it('AUTHZ-2, AUTHZ-3: permission for the endpoint, then what each member allows', async () => {
    const bob = await fleet.config({ name: 'bob' });
    const refused = { status: 403, body: { message: expect.stringContaining('cannot get resource "proxying/proxy"') } };
    for (const path of [maps, '/api', '/version', '/api/v1/secrets']) {
      expect(await get(path, {}, bob)).toMatchObject(refused);
    }
    const alice = await fleet.config({ name: 'alice' });
    await grant(fleet.controlPlane, 'alice-proxying', 'alice', [proxying('get')]);
    const member = { status: 403, body: { message: expect.stringContaining('cannot list resource "configmaps"') } };
    expect(await get(maps, {}, alice)).toMatchObject(member);
    await grant(clientOf('member2'), 'readers', 'alice', [readers]);
    const { body } = await get(`${maps}?labelSelector=test`, {}, alice);
    expect((body as { items: object[] }).items).toHaveLength(2);
    // Only member2 lets her see it, so there it is found; the control plane decides for itself.
    expect(await get(`${maps}/settings`, {}, alice)).toMatchObject({
      status: 200,
      body: { data: { from: 'member2' } },
    });
    const own = { status: 403, body: { message: expect.stringContaining('cannot list resource "secrets"') } };
    expect(await get('/api/v1/secrets', {}, alice)).toMatchObject(own);
  });

  it('AUTHZ-2: an open watch ends with 410 when the right is revoked', async () => {
    await using watch = await watching(await fleet.config({ name: 'alice' }, endpoint), maps, {});
    await vi.waitUntil(() => watch.seen.length >= 2, settled);
    await revoke(fleet.controlPlane, 'alice-proxying');
    await watch.ended;
    expect(watch.seen.at(-1)).toMatchObject({ type: 'ERROR', code: 410 });
  });
});
