import { Informer } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it, vi } from 'vitest';
import { fakeControlPlane } from './fake-control-plane.ts';

interface Any extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

const settled = { timeout: 5_000, interval: 10 };
const namespaces = '/api/v1/namespaces';
const configMaps = `${namespaces}/default/configmaps`;
const works = '/apis/work.karmada.io/v1alpha1/namespaces/default/works';
const kind = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 0,
    (error: { code: number }) => error.code,
  );

describe('a fake control plane', () => {
  it('gives objects their metadata, and keeps it', async () => {
    const { client } = fakeControlPlane();
    const made = await client.create<Any>(works, {
      ...kind,
      metadata: { name: 'a' },
      spec: { x: 1 },
      status: { no: 1 },
    });
    expect(made).toMatchObject({ metadata: { namespace: 'default', generation: 1 }, spec: { x: 1 } });
    expect(made).not.toHaveProperty('status');
    const labelled = await client.patch<Any>(`${works}/a`, 'merge', { metadata: { uid: null, labels: { l: 'm' } } });
    expect(labelled.metadata).toMatchObject({ uid: made.metadata.uid, generation: 1, labels: { l: 'm' } });
    const changed = await client.patch<Any>(`${works}/a`, 'merge', { spec: { x: null, y: 2 }, status: { no: 1 } });
    expect(changed).toMatchObject({ metadata: { generation: 2 }, spec: { y: 2 } });
    expect([changed.spec, changed.status]).toEqual([{ y: 2 }, undefined]);
    const answer = await client.patch<Any>(`${works}/a/status`, 'merge', { spec: { z: 1 }, status: { yes: 1 } });
    expect([answer.metadata.generation, answer.spec, answer.status]).toEqual([2, { y: 2 }, { yes: 1 }]);
    const same = await client.replace<Any>(`${works}/a`, answer);
    expect(same.metadata.resourceVersion).toBe(answer.metadata.resourceVersion);
  });

  it('refuses old versions, other uids, existing names, missing namespaces and missing objects', async () => {
    const { client } = fakeControlPlane();
    const object = { ...kind, metadata: { name: 'a' }, spec: {} };
    const made = await client.create<Any>(works, object);
    await client.patch(`${works}/a`, 'merge', { spec: { x: 1 } });
    expect(await code(client.replace(`${works}/a`, made))).toBe(409);
    expect(await code(client.patch(`${works}/a`, 'merge', { metadata: { resourceVersion: '1' } }))).toBe(409);
    expect(await code(client.delete(`${works}/a`, { preconditions: { uid: 'other' } }))).toBe(409);
    expect(await code(client.create(works, object))).toBe(409);
    expect(await code(client.create(`${namespaces}/none/configmaps`, object))).toBe(404);
    expect(await code(client.get(`${works}/b`))).toBe(404);
  });

  it('keeps what has finalizers, and collects what has no owner left', async () => {
    const { client } = fakeControlPlane();
    const owner = await client.create<Any>(works, { ...kind, metadata: { name: 'owner', finalizers: ['f'] } });
    const ownerReferences = [{ ...kind, name: 'owner', uid: owner.metadata.uid }];
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', ownerReferences } };
    await client.create(configMaps, configMap);
    await client.delete(`${works}/owner`);
    expect((await client.get<Any>(`${works}/owner`)).metadata).toMatchObject({
      generation: 2,
      deletionTimestamp: expect.any(String),
    });
    expect(await code(client.get(`${configMaps}/owned`))).toBe(0);
    await client.patch(`${works}/owner`, 'merge', { metadata: { finalizers: null } });
    expect([await code(client.get(`${works}/owner`)), await code(client.get(`${configMaps}/owned`))]).toEqual([
      404, 404,
    ]);
    await client.create(configMaps, configMap);
    expect(await code(client.get(`${configMaps}/owned`))).toBe(404);
  });

  it('empties a namespace that is deleted before it goes', async () => {
    const { client } = fakeControlPlane();
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const inside = works.replace('default', 'n');
    await client.create(inside, { ...kind, metadata: { name: 'held', finalizers: ['f'] } });
    await client.create(inside, { ...kind, metadata: { name: 'free' } });
    await client.delete(`${namespaces}/n`);
    expect([await code(client.get(`${inside}/free`)), await code(client.get(`${inside}/held`))]).toEqual([404, 0]);
    expect(await code(client.create(inside, { ...kind, metadata: { name: 'late' } }))).toBe(403);
    await client.patch(`${inside}/held`, 'merge', { metadata: { finalizers: [] } });
    expect(await code(client.get(`${namespaces}/n`))).toBe(404);
  });

  it('lists and watches by label, from a version on', async () => {
    const { client, objects } = fakeControlPlane();
    const configMap = (name: string, labels: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels },
    });
    await client.create(configMaps, configMap('a', { l: 'x' }));
    await client.create(configMaps, configMap('b', {}));
    const seen: string[] = [];
    const failures: unknown[] = [];
    await using informer = new Informer<KubeObject>({
      client,
      path: '/api/v1/configmaps?labelSelector=l%3Dx',
      onChange: (key, now, old) => seen.push(`${old ? 'was' : 'new'} ${key} ${now ? 'is' : 'gone'}`),
      onError: (error) => failures.push(error),
    });
    await informer.synced;
    await client.patch(`${configMaps}/b`, 'merge', { metadata: { labels: { l: 'x' } } });
    await client.patch(`${configMaps}/a`, 'merge', { metadata: { labels: { l: 'y' } } });
    await client.delete(`${configMaps}/b`);
    await vi.waitFor(
      () => expect(seen).toEqual(['new default/a is', 'new default/b is', 'was default/a gone', 'was default/b gone']),
      settled,
    );
    expect(failures).toEqual([]);
    objects.oldest = objects.version;
    const late = await client.upstream
      .call({
        method: 'GET',
        path: '/api/v1/configmaps?watch=true&resourceVersion=1',
        headers: {},
        signal: AbortSignal.timeout(1_000),
      })
      .catch(() => undefined);
    expect(late?.status).toBe(410);
  });
});
