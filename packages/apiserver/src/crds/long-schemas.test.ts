import { expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string', maxLength: 3 }]));
const schema = (count: number) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { ...fields(count), added: { type: 'string', default: 'x' } } } },
});
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});
const merge = { 'content-type': 'application/merge-patch+json' };

async function serving(count: number): Promise<TestServer> {
  const server = await openServer();
  expect((await server.ask('POST', definitionsPath, widgetsOf('example.com', schema(count)))).status).toBe(201);
  await expect.poll(async () => (await server.ask('GET', widgets)).status, { timeout: 20_000 }).toBe(200);
  return server;
}

it('LIMIT-3: what is defined by a long schema is served by those who have read it', { timeout: 60_000 }, async () => {
  const { ask, internalErrors } = await serving(2_000);
  const made = await ask('POST', widgets, widget('a', { f0: 'abc', other: 1 }));
  expect(made).toMatchObject({ status: 201, body: { spec: { f0: 'abc', added: 'x' } } });
  expect(made.body['spec']).not.toHaveProperty('other');
  const wrong = await ask('POST', widgets, widget('b', { f0: 'abcd' }));
  expect(wrong).toMatchObject({ status: 422, body: { message: expect.stringContaining('spec.f0: Too long') } });
  const patched = await ask('PATCH', `${widgets}/a`, { spec: { f1: 'y' } }, merge);
  expect(patched).toMatchObject({ status: 200, body: { spec: { f0: 'abc', f1: 'y' } } });
  expect((await ask('GET', widgets)).body.items).toHaveLength(1);
  // After a change objects are shown by the current schema.
  const change = { spec: { names: { shortNames: ['w'] } } };
  await ask('PATCH', `${definitionsPath}/widgets.example.com`, change, merge);
  const names = async () => JSON.stringify((await ask('GET', '/apis/example.com/v1')).body);
  await expect.poll(names, { timeout: 20_000 }).toContain('"shortNames":["w"]');
  expect(await ask('GET', `${widgets}/a`)).toMatchObject({ status: 200, body: { spec: { f0: 'abc', f1: 'y' } } });
  expect(await ask('DELETE', `${widgets}/a`)).toMatchObject({ status: 200 });
  expect(internalErrors).toEqual([]);
});

it('LIMIT-3: what is only described at length is served at once, however many come', { timeout: 60_000 }, async () => {
  const { ask, server, internalErrors } = await openServer();
  const described = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string', description: 'x'.repeat(500) }]),
    );
  const part = { type: 'object', properties: described(60) };
  const definition = widgetsOf('example.com', { type: 'object', properties: { spec: part, status: part } });
  const [version] = definition.spec.versions;
  const versions = [
    { ...version!, subresources: { status: {} } },
    { ...version!, name: 'v2', storage: false, subresources: { status: {} } },
  ];
  await ask('POST', definitionsPath, { ...definition, spec: { ...definition.spec, versions } });
  await expect.poll(async () => (await ask('GET', widgets)).status, { timeout: 20_000 }).toBe(200);
  expect(server.resources.all.find(({ printed }) => printed.kind === 'Widget')?.types.isLong).toBe(false);
  for (let index = 0; index < 20; index += 1) await ask('POST', widgets, widget(`w${index}`, { f0: 'x' }));
  const patched = await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      ask('PATCH', `${widgets}/w${index % 20}/status`, { status: { f1: `${index}` } }, merge),
    ),
  );
  expect(patched.filter(({ status }) => status !== 200)).toEqual([]);
  const { items } = (await ask('GET', widgets.replace('/v1/', '/v2/'))).body;
  expect(items).toHaveLength(20);
  expect(items![0]).toMatchObject({ apiVersion: 'example.com/v2', spec: { f0: 'x' }, status: { f1: '380' } });
  expect(internalErrors).toEqual([]);
});

interface Described {
  properties: Record<string, { properties: object }>;
}

it('COMPAT-4: OpenAPI publishes a long schema like a short one', { timeout: 60_000 }, async () => {
  const documents = async (count: number) => {
    const { ask } = await serving(count);
    const v3 = (await ask('GET', '/openapi/v3/apis/example.com/v1')).body as { components?: { schemas: object } };
    const v2 = (await ask('GET', '/openapi/v2')).body as { definitions?: object };
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const protobuf = (await ask('GET', '/openapi/v2', undefined, { accept })).body['text'];
    return { protobuf: String(protobuf), v3: v3.components!.schemas, v2: v2.definitions! };
  };
  const [short, long] = [await documents(2), await documents(2_000)];
  for (const version of ['v2', 'v3'] as const) {
    const { 'com.example.v1.Widget': one, ...others } = long[version] as Record<string, Described>;
    const { 'com.example.v1.Widget': expected, ...rest } = short[version] as Record<string, Described>;
    expect(others).toEqual(rest);
    expect(Object.keys(long[version])).toEqual(Object.keys(short[version]));
    const fields = { ...one!.properties['spec']!.properties, ...expected!.properties['spec']!.properties };
    expect(one).toEqual({
      ...expected,
      properties: { ...expected!.properties, spec: { ...expected!.properties['spec'], properties: fields } },
    });
    expect(Object.keys(fields)).toHaveLength(2_001);
  }
  for (const name of ['com.example.v1.WidgetList', 'f0', 'f1999', 'added']) expect(long.protobuf).toContain(name);
});
