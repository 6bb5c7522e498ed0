import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

/** Properties that every JavaScript object inherits, and that users may use as names of labels, resources and fields. */
const inherited = ['constructor', 'toString', '__proto__'];

const core = '/api/v1/namespaces/default';
const pod = (spec: object, resources: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'c', resources }], ...spec },
});

/** From JSON text: in an object literal, `__proto__` is not a field. */
const of = (name: string, value: unknown): object => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

it.each(inherited)('a pod without the label %s is not spread by it', async (key) => {
  const { ask } = await openServer();
  const labelSelector = { matchLabels: { app: 'web' } };
  const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector };
  const spec = { topologySpreadConstraints: [{ ...spread, matchLabelKeys: [key] }] };
  const { status, body } = await ask('POST', `${core}/pods`, pod(spec));
  expect(status).toBe(201);
  expect(body['spec']).toMatchObject({
    topologySpreadConstraints: [{ labelSelector: { matchLabels: { app: 'web' } } }],
  });
  expect(JSON.stringify(body['spec'])).not.toContain('matchExpressions');
});

it.each(inherited)('requests for a resource %s are refused as any other that nobody knows', async (name) => {
  const { ask, internalErrors } = await openServer();
  const wrong = async (one: string) => {
    const { status, body } = await ask('POST', `${core}/pods`, pod({}, { requests: of(one, '1') }));
    return { status, message: (body['message'] as string).replaceAll(one, 'NAME') };
  };
  const other = name.startsWith('_') ? '__other__' : 'other';
  expect(await wrong(name)).toEqual(await wrong(other));
  expect(internalErrors).toEqual([]);
});

it.each(inherited)('a quota that limits %s shows what is used of it', async (name) => {
  const { ask } = await openServer();
  await ask('POST', `${core}/resourcequotas`, { metadata: { name: 'q' } });
  const status = { hard: of(name, '1'), used: {} };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await ask('PATCH', `${core}/resourcequotas/q/status`, { status }, merge);
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const { body } = await ask('GET', `${core}/resourcequotas/q`, undefined, table);
  expect((body['rows'] as { cells: unknown[] }[])[0]!.cells).toContain(`${name}: 0/1`);
});

it.each(inherited)('a scale below a field %s changes nothing else', async (name) => {
  const { ask } = await openServer();
  const scale = { specReplicasPath: `.spec.${name}.count`, statusReplicasPath: '.status.replicas' };
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const made = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { scale } },
      ],
    },
  });
  expect(made.status).toBe(201);
  const url = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  await expect.poll(async () => (await ask('GET', url)).status).toBe(200);
  expect((await ask('POST', url, widget)).status).toBe(201);
  const scaleObject = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'w', namespace: 'default' } };
  const scaled = await ask('PUT', `${url}/w/scale`, { ...scaleObject, spec: { replicas: 7 } });
  expect(Object.prototype).not.toHaveProperty('count');
  expect(Object).not.toHaveProperty('count');
  expect(scaled).toMatchObject({ status: 200, body: { spec: { replicas: 7 } } });
  const spec = (await ask('GET', `${url}/w`)).body['spec'] as object;
  expect(spec).toEqual({ size: 1, ...of(name, { count: 7 }) });
});
