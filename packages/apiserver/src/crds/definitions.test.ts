import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';
import type { Definition, Version } from './definition.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

const spec = (properties: object, more: object = {}) => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties, ...more },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
});
const version = (name: string, schema: object, more: Partial<Version> = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...more,
});
const definition = (...versions: object[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions,
  },
});
const widget = (name: string, rest: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...rest,
});

/** Created, and served. */
async function define({ ask, watch }: TestServer, given: object): Promise<void> {
  const { status, body } = await ask('POST', definitions, given);
  expect(status, JSON.stringify(body)).toBe(201);
  await condition(await watch(`${definitions}?watch=1`), 'Established', 'True');
}

async function condition(events: AsyncIterator<{ object: object }>, type: string, status: string): Promise<void> {
  for (;;) {
    const { object } = (await events.next()).value;
    const found = (object as Definition).status?.conditions?.find((one) => one.type === type);
    if (found?.status === status) return;
  }
}

describe('definitions', () => {
  it('are served once they are established', async () => {
    const server = await openServer();
    await define(server, definition(version('v1', spec({ color: { type: 'string' } }))));
    const { body } = await server.ask('GET', `${definitions}/widgets.example.com`);
    expect(body).toMatchObject({
      metadata: { generation: 1 },
      spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
      status: {
        acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        storedVersions: ['v1'],
        conditions: [
          { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
          { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
        ],
      },
    });
    expect((await server.ask('POST', widgets, widget('a'))).status).toBe(201);
    expect((await server.ask('GET', widgets)).body).toMatchObject({
      kind: 'WidgetList',
      items: [{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', generation: 1 } }],
    });
    expect((await server.ask('GET', '/apis/example.com/v1')).body['resources']).toMatchObject([
      { name: 'widgets', singularName: 'widget', kind: 'Widget', shortNames: ['wd'] },
    ]);
    expect(server.internalErrors).toEqual([]);
  });

  it('that are wrong are refused', async () => {
    const { ask } = await openServer();
    const { status, body } = await ask('POST', definitions, definition(version('v1', {})));
    expect(status).toBe(422);
    expect(body['message']).toBe(
      'CustomResourceDefinition.apiextensions.k8s.io "widgets.example.com" is invalid: spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
    );
  });

  it('with names of others are not served', async () => {
    const server = await openServer();
    await define(server, definition(version('v1', spec({}))));
    const other = definition(version('v1', spec({})));
    const events = await server.watch(`${definitions}?watch=1&fieldSelector=metadata.name%3Dgadgets.example.com`);
    await server.ask('POST', definitions, {
      ...other,
      metadata: { name: 'gadgets.example.com' },
      spec: { ...other.spec, names: { plural: 'gadgets', kind: 'Widget' } },
    });
    await condition(events, 'NamesAccepted', 'False');
    expect((await server.ask('GET', '/apis/example.com/v1/gadgets')).status).toBe(404);
  });

  it('that go take their objects along, and end their watches', async () => {
    const server = await openServer();
    const { ask, watch } = server;
    await define(server, definition(version('v1', spec({}))));
    await ask('POST', widgets, widget('a'));
    const events = await watch(`${widgets}?watch=1`);
    expect((await events.next()).value).toMatchObject({ type: 'ADDED' });
    const going = await watch(`${definitions}?watch=1`);
    const { body } = await ask('DELETE', `${definitions}/widgets.example.com`);
    expect(body).toMatchObject({
      metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
      status: { conditions: [{}, {}, { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' }] },
    });
    for (;;) if ((await going.next()).value.type === 'DELETED') break;
    const rest: unknown[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) rest.push(next.value.type);
    expect(rest).toEqual(['DELETED']);
    await expect.poll(async () => (await ask('GET', widgets)).status).toBe(404);
  });

  it('that change are served as they are then', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, definition(version('v1', spec({}))));
    await ask('POST', widgets, widget('a', { spec: {} }));
    const { body } = await ask('GET', `${definitions}/widgets.example.com`);
    const next = definition(version('v1', spec({ color: { type: 'string', default: 'red' } })));
    const changed = await ask('PUT', `${definitions}/widgets.example.com`, { ...body, spec: next.spec });
    expect(changed.body.metadata).toMatchObject({ generation: 2 });
    await expect.poll(async () => (await ask('GET', `${widgets}/a`)).body['spec']).toEqual({ color: 'red' });
  });

  it('of several versions differ in nothing but their name', async () => {
    const server = await openServer();
    const { ask } = server;
    const both = [
      version('v1', spec({ a: { type: 'string' } })),
      version('v2', spec({ b: { type: 'string', default: 'x' } })),
    ];
    await define(server, definition(...both));
    await ask('POST', widgets, widget('a', { spec: { a: 'y' } }));
    const second = widgets.replace('/v1/', '/v2/');
    expect((await ask('GET', `${second}/a`)).body).toMatchObject({
      apiVersion: 'example.com/v2',
      // Each shows the fields of its own schema.
      spec: { b: 'x' },
    });
    await ask('POST', second, { ...widget('b'), apiVersion: 'example.com/v2' });
    expect((await ask('GET', `${widgets}/b`)).body).toMatchObject({ apiVersion: 'example.com/v1' });
  });

  it('that change are served all the while', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, definition(version('v1', spec({ a: { type: 'string' } }))));
    await ask('POST', widgets, widget('a'));
    const versions = [version('v1', spec({ a: { type: 'string', default: 'new' } }))];
    const merge = { 'content-type': 'application/merge-patch+json' };
    await ask('PATCH', `${definitions}/widgets.example.com`, { spec: { versions } }, merge);
    const answers: number[] = [];
    for (let isNew = false; !isNew; ) {
      const { status, body } = await ask('POST', `${widgets}?dryRun=All`, widget('b', { spec: {} }));
      answers.push(status);
      isNew = (body['spec'] as { a?: string } | undefined)?.a === 'new';
      await new Promise(setImmediate);
    }
    expect(new Set(answers)).toEqual(new Set([201]));
  });

  it('COMPAT-4: who wrote the status in another version loses it to a PUT without it', async () => {
    const server = await openServer();
    const { ask } = server;
    const subresources = { status: {} };
    await define(server, definition(...['v1', 'v2'].map((name) => version(name, spec({}), { subresources }))));
    const merge = { 'content-type': 'application/merge-patch+json' };
    const writers = async () => {
      const { managedFields, resourceVersion } = (await ask('GET', `${widgets}/a`)).body.metadata!;
      const entries = managedFields as { apiVersion: string; subresource?: string }[];
      const ofStatus = entries.filter((one) => one.subresource === 'status').map((one) => one.apiVersion);
      return { ofStatus, resourceVersion };
    };
    const metadata = { name: 'a', labels: { app: 'x' } };
    await ask('POST', widgets, { ...widget('a'), metadata });
    await ask('PATCH', `${widgets}/a/status`, { status: { ready: 1 } }, merge);
    const put = ({ resourceVersion }: { resourceVersion: unknown }) =>
      ask('PUT', `${widgets}/a`, { ...widget('a'), metadata: { ...metadata, resourceVersion } });
    expect((await put(await writers())).status).toBe(200);
    expect((await writers()).ofStatus).toEqual(['example.com/v1']);
    await ask('PATCH', `${widgets.replace('/v1/', '/v2/')}/a/status`, { status: { ready: 2 } }, merge);
    const second = await writers();
    expect(second.ofStatus).toEqual(['example.com/v1', 'example.com/v2']);
    expect((await put(second)).status).toBe(200);
    expect((await writers()).ofStatus).toEqual(['example.com/v1']);
  });
});

describe('custom resources', () => {
  const schema = spec(
    {
      color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
      replicas: { type: 'integer', minimum: 0, default: 1 },
      list: {
        type: 'array',
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    },
    { 'x-kubernetes-validations': [{ rule: "self.replicas < 5 || self.color == 'blue'", message: 'too many' }] },
  );
  const full = definition(
    version('v1', schema, {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.ready' } },
      additionalPrinterColumns: [
        { name: 'Color', type: 'string', jsonPath: '.spec.color' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      selectableFields: [{ jsonPath: '.spec.color' }],
    }),
  );

  it('are pruned, completed and checked', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, full);
    expect((await ask('POST', widgets, widget('a', { spec: { odd: 1 }, status: { ready: 1 } }))).body).toMatchObject({
      spec: { color: 'red', replicas: 1 },
      metadata: { generation: 1 },
    });
    const { body } = await ask('GET', `${widgets}/a`);
    expect(body['spec']).toEqual({ color: 'red', replicas: 1 });
    expect(body).not.toHaveProperty('status');
    const wrong = await ask('POST', widgets, widget('b', { spec: { color: 'green', replicas: -1 } }));
    expect(wrong.body['message']).toBe(
      'Widget.example.com "b" is invalid: [spec.color: Unsupported value: "green": supported values: "red", "blue", spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0, .spec.replicas: Invalid value: -1: should be a non-negative integer, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
    );
    expect((await ask('POST', widgets, widget('b', { spec: { replicas: 7 } }))).body['message']).toBe(
      'Widget.example.com "b" is invalid: spec: Invalid value: too many',
    );
  });

  it('have a status and a scale of their own', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, full);
    const { body } = await ask('POST', widgets, widget('a', { spec: {} }));
    const written = await ask('PUT', `${widgets}/a/status`, {
      ...body,
      metadata: { ...body.metadata, labels: { a: 'b' } },
      spec: { color: 'blue' },
      status: { ready: 1 },
    });
    expect(written.body).toMatchObject({ spec: { color: 'red' }, status: { ready: 1 }, metadata: { generation: 1 } });
    expect(written.body.metadata).not.toHaveProperty('labels');
    const scale = await ask('GET', `${widgets}/a/scale`);
    expect(scale.body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1 } });
    const scaled = await ask('PUT', `${widgets}/a/scale`, { ...scale.body, spec: { replicas: 3 } });
    expect(scaled.body).toMatchObject({ spec: { replicas: 3 } });
    expect((await ask('GET', `${widgets}/a`)).body).toMatchObject({
      spec: { replicas: 3 },
      metadata: { generation: 2 },
    });
  });

  it('are printed and selected by the fields of their definition', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, full);
    await ask('POST', widgets, widget('a', { spec: {} }));
    await ask('POST', widgets, widget('b', { spec: { color: 'blue' } }));
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const { body } = await ask('GET', widgets, undefined, table);
    expect(body).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Color' }, { name: 'Age' }],
      rows: [{ cells: ['a', 'red', expect.stringMatching(/^\d+s$/)] }, { cells: ['b', 'blue', expect.anything()] }],
    });
    const selected = await ask('GET', `${widgets}?fieldSelector=spec.color%3Dblue`);
    expect(selected.body.items).toMatchObject([{ metadata: { name: 'b' } }]);
  });

  it('are applied element by element', async () => {
    const server = await openServer();
    const { ask } = server;
    await define(server, full);
    const apply = (manager: string, ...list: object[]) =>
      ask('PATCH', `${widgets}/a?fieldManager=${manager}`, widget('a', { spec: { list } }), {
        'content-type': 'application/apply-patch+yaml',
      });
    expect((await apply('one', { k: 'x', v: '1' })).status).toBe(201);
    expect((await apply('two', { k: 'y', v: '2' })).status).toBe(200);
    const { body } = await ask('GET', `${widgets}/a`);
    expect((body['spec'] as { list: object[] }).list).toHaveLength(2);
    expect((await apply('two', { k: 'x', v: '3' })).status).toBe(409);
  });
});
