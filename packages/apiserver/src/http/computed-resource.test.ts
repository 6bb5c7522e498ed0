import { notFound } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import type { ComputedResource } from './computed-resource.ts';

const kind = {
  group: 'weather.example',
  version: 'v1beta1',
  resource: 'winds',
  kind: 'Wind',
  namespaced: true,
  columns: [
    {
      name: 'Name',
      type: 'string',
      description: 'its name',
      cell: (object: { metadata: { name?: string } }) => object.metadata.name ?? '',
    },
  ],
};

const wind = (name: string, namespace: string, labels = {}) => ({
  apiVersion: 'weather.example/v1beta1',
  kind: 'Wind',
  metadata: { name, namespace, labels },
  force: 7,
});

const winds: ComputedResource = {
  kind,
  list: async (namespace) =>
    [wind('north', 'default', { cold: 'yes' }), wind('south', 'default'), wind('west', 'kube-system')].filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    ),
  async get(name, namespace) {
    if (name !== 'north') throw notFound(kind, name);
    return wind(name, namespace!);
  },
};

const open = () => openServer({ computed: [winds] });
const place = '/apis/weather.example/v1beta1';
const names = (items: unknown) => (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);

test('a computed resource is listed in one namespace or in all, with selectors', async () => {
  const { ask } = await open();
  const all = await ask('GET', `${place}/winds`);
  expect(all.body).toMatchObject({ kind: 'WindList', apiVersion: 'weather.example/v1beta1' });
  expect(names(all.body.items)).toEqual(['north', 'south', 'west']);
  expect(names((await ask('GET', `${place}/namespaces/default/winds?labelSelector=cold`)).body.items)).toEqual([
    'north',
  ]);
  const one = await ask('GET', `${place}/winds?fieldSelector=metadata.name%3Dwest`);
  expect(names(one.body.items)).toEqual(['west']);
});

test('one is read by its name, or is not found', async () => {
  const { ask } = await open();
  expect((await ask('GET', `${place}/namespaces/default/winds/north`)).body).toMatchObject({ kind: 'Wind', force: 7 });
  const missing = await ask('GET', `${place}/namespaces/default/winds/east`);
  expect(missing.body).toMatchObject({ code: 404, message: 'winds.weather.example "east" not found' });
});

test('it has a Table with its columns, and JSON for clients that prefer protobuf', async () => {
  const { ask } = await open();
  const table = await ask('GET', `${place}/winds`, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  });
  expect(table.body['columnDefinitions']).toMatchObject([{ name: 'Name' }]);
  expect(table.body['rows']).toMatchObject([{ cells: ['north'] }, { cells: ['south'] }, { cells: ['west'] }]);
  const plain = await ask('GET', `${place}/winds`, undefined, {
    accept: 'application/vnd.kubernetes.protobuf,application/json',
  });
  expect(plain.headers['content-type']).toBe('application/json');
});

test('nothing of it can be written or watched', async () => {
  const { ask } = await open();
  expect((await ask('POST', `${place}/namespaces/default/winds`, wind('east', 'default'))).status).toBe(405);
  expect((await ask('DELETE', `${place}/namespaces/default/winds/north`)).status).toBe(405);
  expect((await ask('GET', `${place}/winds?watch=true`)).status).toBe(405);
  expect((await ask('GET', `${place}/namespaces/default/winds/north/status`)).status).toBe(404);
});

test('discovery lists it in both forms', async () => {
  const { ask } = await open();
  const groups = (await ask('GET', '/apis')).body['groups'] as { name: string }[];
  expect(groups.map(({ name }) => name)).toContain('weather.example');
  expect((await ask('GET', place)).body['resources']).toEqual([
    { name: 'winds', singularName: '', namespaced: true, kind: 'Wind', verbs: ['get', 'list'] },
  ]);
  const aggregated = await ask('GET', '/apis', undefined, {
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  });
  expect(JSON.stringify(aggregated.body)).toContain('"resource":"winds"');
});

test('who has no permission may not read it', async () => {
  const { ask } = await openServer({
    computed: [winds],
    caller: { name: 'nobody', groups: ['system:authenticated'], extra: {} },
  });
  expect((await ask('GET', `${place}/winds`)).body).toMatchObject({
    code: 403,
    message: expect.stringContaining('cannot list resource "winds" in API group "weather.example"'),
  });
});
