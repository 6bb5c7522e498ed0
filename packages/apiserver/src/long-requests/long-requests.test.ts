import { longestStall } from '@fleet/client/testing/longest-stall.ts';
import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };
const large = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));
const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const define = (server: TestServer, spec: object, versions = ['v1']) =>
  server.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'boxes.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
      versions: versions.map((name, index) => ({
        ...{ name, served: true, storage: index === 0 },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      })),
    },
  });

const boxes = '/apis/example.dev/v1/namespaces/default/boxes';
const box = (name: string, spec: object) => ({ apiVersion: 'example.dev/v1', kind: 'Box', metadata: { name }, spec });

describe('LIMIT-3: what takes long is done on another thread', { timeout: 60_000 }, () => {
  it('with the same answers', async () => {
    const server = await openServer();
    const made = await server.ask('POST', configMaps, configMap('a', large(2_000)));
    expect(made).toMatchObject({ status: 201, body: { kind: 'ConfigMap', metadata: { name: 'a' } } });
    expect(await server.ask('GET', `${configMaps}/a`)).toMatchObject({ status: 200, body: made.body });
    const again = await server.ask('POST', configMaps, configMap('a', large(2_000)));
    expect(again).toMatchObject({ status: 409, body: { reason: 'AlreadyExists', details: { name: 'a' } } });
    const wrong = await server.ask('POST', configMaps, configMap('A', large(2_000)));
    expect(wrong).toMatchObject({ status: 422, body: { reason: 'Invalid', details: { causes: [{}] } } });
    const odd = await server.ask('POST', configMaps, { ...configMap('b', large(2_000)), dat: 1 });
    expect(odd.headers['warning']).toEqual(['299 - "unknown field \\"dat\\""']);
    const strict = await server.ask('POST', `${configMaps}?fieldValidation=Strict`, {
      ...configMap('c', large(2_000)),
      dat: 1,
    });
    expect(strict).toMatchObject({ status: 400, body: { message: expect.stringContaining('unknown field "dat"') } });
    const nowhere = await server.ask('POST', '/api/v1/namespaces/none/configmaps', configMap('a', large(2_000)));
    expect(nowhere).toMatchObject({ status: 404, body: { message: 'namespaces "none" not found' } });
    expect(server.internalErrors).toEqual([]);
  });

  it('small changes of large objects, and their other forms, too', async () => {
    const server = await openServer();
    await server.ask('POST', configMaps, configMap('a', large(3_000)));
    const labelled = await server.ask('PATCH', `${configMaps}/a`, { metadata: { labels: { x: 'y' } } }, merge);
    expect(labelled).toMatchObject({ status: 200, body: { metadata: { labels: { x: 'y' } } } });
    const yaml = await server.ask('GET', `${configMaps}/a`, undefined, { accept: 'application/yaml' });
    expect(String(yaml.body['text'])).toContain('key2999: v');
    const found = await server.ask('GET', `${configMaps}?labelSelector=x%3Dy&fieldSelector=metadata.name%3Da`);
    expect(found.body.items).toHaveLength(1);
    expect(await server.ask('DELETE', `${configMaps}/a`)).toMatchObject({ status: 200 });
  });

  it('of kinds that are defined, in each of their versions', async () => {
    const server = await openServer();
    const watch = await server.watch('/api/v1/namespaces?watch=1');
    await watch.next();
    await define(server, { type: 'object', properties: { numbers: { type: 'array', items: { type: 'integer' } } } }, [
      'v1',
      'v2',
    ]);
    await expect.poll(async () => (await server.ask('GET', '/apis/example.dev/v2/boxes')).status).toBe(200);
    const numbers = Array.from({ length: 20_000 }, (_, index) => index);
    expect((await server.ask('POST', boxes, box('a', { numbers }))).status).toBe(201);
    const shown = await server.ask('GET', `${boxes.replace('v1', 'v2')}/a`);
    expect(shown.body).toMatchObject({ apiVersion: 'example.dev/v2', spec: { numbers } });
    const wrong = await server.ask('POST', boxes, box('b', { numbers: [...numbers, 'x'] }));
    expect(wrong).toMatchObject({ status: 422, body: { message: expect.stringContaining('spec.numbers[20000]') } });
    expect(server.internalErrors).toEqual([]);
  });

  it('however deep they are', async () => {
    const server = await openServer();
    await define(server, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    await expect.poll(async () => (await server.ask('GET', '/apis/example.dev/v1/boxes')).status).toBe(200);
    const deep = `{"a":${'{"a":'.repeat(900)}1${'}'.repeat(900)}}`;
    const body = JSON.stringify(box('a', { tree: 0 })).replace('{"tree":0}', deep);
    expect((await server.ask('POST', boxes, body)).status).toBe(201);
    expect(server.internalErrors).toEqual([]);
  });

  it('privilege escalation is refused in long requests, too', async () => {
    const caller = { name: 'eve', groups: ['system:authenticated'], extra: {}, uid: undefined };
    const server = await openServer({ caller });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const owner = server.server.resources.find({
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      resource: 'clusterroles',
    })!;
    const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] }];
    await owner.registry.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules,
    });
    const bindings = server.server.resources.find({
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      resource: 'clusterrolebindings',
    })!;
    await bindings.registry.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
    });
    const role = {
      metadata: { name: 'x' },
      rules: Array.from({ length: 500 }, (_, index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: ['get'] })),
    };
    const message = async (): Promise<string> =>
      String((await server.ask('POST', `${rbac}/namespaces/default/roles`, role)).body['message']);
    await expect
      .poll(message, { timeout: 20_000 })
      .toContain('is attempting to grant RBAC permissions not currently held');
    // A few names whose combinations multiply: many comparisons in a small body.
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    const many = { metadata: { name: 'y' }, rules: [{ apiGroups: names, resources: names, verbs: names }] };
    expect((await server.ask('POST', `${rbac}/namespaces/default/roles`, many)).status).toBe(403);
  });

  it('and the event loop goes on', async () => {
    const server = await openServer();
    await server.ask('POST', configMaps, configMap('warm', large(2_000)));
    const body = JSON.stringify(configMap('a', large(50_000)));
    const off = await longestStall(() => server.ask('POST', configMaps, body));
    const on = await longestStall(async () => {
      const { registry, types, owner } = server.server.resources.find({
        group: '',
        version: 'v1',
        resource: 'configmaps',
      })!;
      await registry.create(owner.tracked(undefined, types.read(JSON.parse(body.replace('"a"', '"b"'))), 'test'), {
        namespace: 'default',
      });
    });
    expect(on).toBeGreaterThan(50);
    expect(off).toBeLessThan(Math.max(50, on / 2));
  });
});
