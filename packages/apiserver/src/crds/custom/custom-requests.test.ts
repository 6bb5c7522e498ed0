import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../testing/open-server.ts';
import type { Definition } from '../definition.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const integer = { type: 'integer' };
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: integer, size: integer } },
              status: { type: 'object', properties: { replicas: integer } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};
const widget = (metadata: object = {}, rest: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', ...metadata },
  spec: { replicas: 2 },
  ...rest,
});

async function withWidgets(): Promise<TestServer> {
  const server = await openServer();
  expect((await server.ask('POST', definitions, definition)).status).toBe(201);
  const events = await server.watch(`${definitions}?watch=1`);
  for (;;) {
    const { status } = (await events.next()).value.object as unknown as Definition;
    if (status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True')) return server;
  }
}

const protobuf = 'application/vnd.kubernetes.protobuf';
const known =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

describe('COMPAT-4: requests for custom resources, which no router looks at', () => {
  it('have no protobuf form, with the same error everywhere', async () => {
    const { ask } = await withWidgets();
    const both = await ask('GET', widgets, undefined, { accept: `${protobuf},application/json` });
    expect([both.status, both.headers['content-type']]).toEqual([200, 'application/json']);
    const one = await ask('GET', widgets, undefined, { accept: `text/plain` });
    expect([one.status, one.body['message'], 'details' in one.body]).toEqual([406, known, false]);
    const strategic = { accept: 'text/plain', 'content-type': 'application/strategic-merge-patch+json' };
    expect((await ask('PATCH', `${widgets}/a`, {}, strategic)).status).toBe(415);
  });

  it.each([
    ['GET', '/apis/example.com/v1/namespaces/default/gadgets', 404, '404 page not found\n'],
    ['GET', '/apis/example.com/v9/namespaces/default/widgets', 404, '404 page not found\n'],
    ['GET', '/apis/example.com/v1/widgets/a', 404, '404 page not found\n'],
    ['GET', `${widgets}/a/log`, 404, 'widgets.example.com "a" not found'],
    ['OPTIONS', `${widgets}/a`, 405, ' is not supported on resources of kind "widgets.example.com"'],
    ['DELETE', `${widgets}/a/status`, 405, 'delete is not supported on resources of kind "widgets.example.com"'],
    ['PUT', widgets, 400, 'name must be provided'],
    ['GET', `${widgets}/%2e%2e`, 400, 'Name parameter invalid: "..": may not be \'..\''],
    ['GET', `${widgets}?fieldSelector=a=b`, 400, 'field label not supported: a'],
  ])('%s %s: %d', async (method, path, status, text) => {
    const { ask } = await withWidgets();
    const answer = await ask(method, path);
    expect([answer.status, answer.body['message'] ?? answer.body['text']]).toEqual([status, text]);
  });

  it('list their verbs in their own order', async () => {
    const { ask } = await withWidgets();
    const [first] = (await ask('GET', '/apis/example.com/v1')).body['resources'] as { verbs: string[] }[];
    expect(first!.verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);
    expect((await ask('PUT', '/apis/example.com/v1')).status).toBe(200);
  });

  it('must name their kind; the first decoder reports an absent one', async () => {
    const { ask } = await withWidgets();
    const text = '{"apiVersion":"example.com/v1","metadata":{"name":"a"}}';
    const missing = `Object 'Kind' is missing in '${text}'`;
    const strict = await ask('POST', widgets, text);
    expect(strict.body['message']).toBe(
      `the object provided is unrecognized (must be of type Widget): ${missing} (${text.slice(0, 30)} ...)`,
    );
    const yaml = { 'content-type': 'application/yaml' };
    const loose = await ask(
      'POST',
      `${widgets}?fieldValidation=Ignore`,
      'metadata: {name: a}\napiVersion: example.com/v1',
      yaml,
    );
    expect(loose.body['message']).toBe(`Widget in version "v1" cannot be handled as a Widget: ${missing}`);
    const { body } = await ask('POST', widgets, { kind: 'Widget', metadata: { name: 'a' } });
    expect(body['message']).toBe(
      'the API version in the data () does not match the expected API version (example.com/v1)',
    );
    const other = await ask('POST', widgets, { ...widget(), apiVersion: 'a/b/c' });
    expect(other.body['message']).toContain('(must be of type Widget): unexpected GroupVersion string: a/b/c (');
  });

  it('are created of their kind; the error has the generated name', async () => {
    const { ask } = await withWidgets();
    const gadget = { ...widget({ name: undefined, generateName: 'gen-' }), kind: 'Gadget' };
    const { body } = await ask('POST', widgets, gadget);
    expect(body['message']).toMatch(
      /^Gadget\.example\.com "gen-\w{5}" is invalid: kind: Invalid value: "Gadget": must be Widget$/,
    );
    const nowhere = await ask('POST', widgets.replace('default', 'nowhere'), gadget);
    expect([nowhere.status, nowhere.body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  it('warn of finalizers without a domain, once', async () => {
    const { ask } = await withWidgets();
    const warning = (name: string, path: string) =>
      `299 - "metadata.finalizers: \\"${name}\\": prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers"`;
    const finalizers = ['a.b', 'example.com/c', 'hold', 'orphan'];
    const created = await ask('POST', widgets, widget({ finalizers }));
    expect(created.headers['warning']).toEqual([warning('a.b', ' including a path (/)'), warning('hold', '')]);
    const { resourceVersion } = created.body.metadata!;
    const updated = await ask('PUT', `${widgets}/a`, widget({ resourceVersion, finalizers: [...finalizers, 'more'] }));
    expect(updated.headers['warning']).toEqual([warning('more', '')]);
  });

  it('keep a null that was applied, and refuse it', async () => {
    const { ask } = await withWidgets();
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const { status, body } = await ask(
      'PATCH',
      `${widgets}/a?fieldManager=m`,
      widget({}, { spec: { size: null } }),
      apply,
    );
    expect([status, body['message']]).toEqual([
      422,
      'Widget.example.com "a" is invalid: spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"',
    ]);
  });

  it('are owned by nobody once an owner is of a version that is none', async () => {
    const { ask } = await withWidgets();
    const managedFields = [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
    expect((await ask('POST', widgets, widget({ managedFields }))).body.metadata!['managedFields']).toBeUndefined();
  });

  it.each([1e20, 2 ** 60])('%d is no integer', async (size) => {
    const { ask } = await withWidgets();
    const { body } = await ask('POST', widgets, `${JSON.stringify(widget()).slice(0, -1)},"spec":{"size":${size}.0}}`);
    expect(body['message']).toContain('spec.size in body must be of type integer: "number"');
  });
});

describe('COMPAT-4: the scale of a custom resource', () => {
  const scale = `${widgets}/a/scale`;
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const config = (replicas: number) => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas } });

  it('can be applied, which is refused if another owns it', async () => {
    const { ask } = await withWidgets();
    await ask('POST', widgets, widget(), { 'user-agent': 'maker' });
    const refused = await ask('PATCH', `${scale}?fieldManager=ann`, { ...config(3), metadata: { name: 'a' } }, apply);
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "maker" using autoscaling/v1: .spec.replicas',
    ]);
    const forced = await ask(
      'PATCH',
      `${scale}?fieldManager=ann&force=true`,
      { ...config(3), metadata: { name: 'a' } },
      apply,
    );
    expect([forced.status, forced.body['kind'], forced.body['spec']]).toEqual([200, 'Scale', { replicas: 3 }]);
    const { metadata, spec } = (await ask('GET', `${widgets}/a`)).body;
    expect(spec).toEqual({ replicas: 3 });
    const owners = metadata!['managedFields'] as { manager: string; subresource?: string; fieldsV1: object }[];
    expect(owners.map(({ manager, subresource, fieldsV1 }) => [manager, subresource, fieldsV1])).toEqual([
      ['ann', 'scale', { 'f:spec': { 'f:replicas': {} } }],
      ['maker', undefined, { 'f:spec': {} }],
    ]);
  });

  it('has columns of its own', async () => {
    const { ask } = await withWidgets();
    await ask('POST', widgets, widget({}, { spec: { replicas: 0 } }));
    const { body } = await ask('GET', scale, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    const columns = body['columnDefinitions'] as { name: string }[];
    expect(columns.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
    const [row] = body['rows'] as { cells: unknown[] }[];
    expect(row!.cells.slice(0, 3)).toEqual(['a', null, 0]);
  });

  it('is of the object in its path, in the requested version, and has an owner if the body has a version', async () => {
    const { ask } = await withWidgets();
    await ask('POST', widgets, widget());
    const merge = { 'content-type': 'application/merge-patch+json' };
    const renamed = await ask('PATCH', scale, { metadata: { name: 'b' } }, merge);
    expect(renamed.body['message']).toBe('the name of the object (b) does not match the name on the URL (a)');
    expect((await ask('GET', `${scale}?resourceVersion=x`)).status).not.toBe(200);
    const owners = async () => JSON.stringify((await ask('GET', `${widgets}/a`)).body.metadata!['managedFields']);
    await ask('PUT', scale, { apiVersion: 'autoscaling/v1', metadata: { name: 'a' }, spec: { replicas: 5 } });
    expect(await owners()).toContain('f:replicas');
    await ask('PUT', scale, { kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 6 } });
    expect(await owners()).not.toContain('f:replicas');
  });
});

describe('COMPAT-4: custom resources that are updated', () => {
  it('are of their kind, whose error comes once the object is known', async () => {
    const { ask } = await withWidgets();
    const { resourceVersion } = (await ask('POST', widgets, widget())).body.metadata!;
    const other = (metadata: object) => ({ ...widget(metadata), kind: 'Gadget' });
    expect((await ask('PUT', `${widgets}/a`, other({}))).body['message']).toContain('must be specified for an update');
    expect((await ask('PUT', `${widgets}/a`, other({ resourceVersion }))).body['message']).toBe(
      'Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget',
    );
    expect((await ask('POST', widgets, { ...widget(), metadata: 7 })).body['message']).toContain(
      'json: cannot unmarshal number into Go value of type v1.ObjectMeta',
    );
  });

  it('keep their kind whatever a write of the status contains, but lose the owner', async () => {
    const { ask } = await withWidgets();
    const merge = { 'content-type': 'application/merge-patch+json' };
    const made = await ask('POST', widgets, widget());
    expect(made.body.metadata).toHaveProperty('managedFields');
    const patched = await ask('PATCH', `${widgets}/a/status`, { kind: 'Gadget', status: { replicas: 1 } }, merge);
    expect([patched.status, patched.body]).toMatchObject([200, { kind: 'Widget', status: { replicas: 1 } }]);
    expect(patched.body.metadata).not.toHaveProperty('managedFields');
    const { resourceVersion } = patched.body.metadata!;
    const gadget = { ...widget({ resourceVersion }, { status: { replicas: 2 } }), kind: 'Gadget' };
    const put = await ask('PUT', `${widgets}/a/status`, gadget);
    expect([put.status, put.body]).toMatchObject([200, { kind: 'Widget', status: { replicas: 2 } }]);
    const { status } = await ask('PATCH', `${widgets}/a`, { kind: 'Gadget' }, merge);
    expect(status).toBe(422);
  });

  it('report unknown fields in the order of their keys', async () => {
    const { ask } = await withWidgets();
    await ask('POST', widgets, widget());
    const merge = { 'content-type': 'application/merge-patch+json' };
    const { headers } = await ask('PATCH', `${widgets}/a`, { z: 1, b: 1, metadata: { y: 1 } }, merge);
    expect(headers['warning']).toEqual(['metadata.y', 'b', 'z'].map((path) => `299 - "unknown field \\"${path}\\""`));
  });
});

it('COMPAT-4: a definition of nothing lacks everything', async () => {
  const { ask } = await openServer();
  const { status, body } = await ask('POST', definitions, {});
  expect([status, body['message']]).toEqual([422, expect.stringContaining('spec.group: Required value')]);
  const one = 'must have exactly one version marked as storage version';
  expect(body['message']).toContain(`spec.versions: Invalid value: null: ${one}`);
  const empty = await ask('POST', definitions, { spec: { versions: [] } });
  expect(empty.body['message']).toContain(`spec.versions: Invalid value: []: ${one}`);
});
