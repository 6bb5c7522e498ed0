import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { fieldsIn, selectableFieldsOf, selectsByFields } from './selectable-fields.ts';

const widgets = { group: 'example.dev', version: 'v1', kind: 'Widget', resource: 'widgets', namespace: 'default' };
const { signal } = new AbortController();

const schema = (kind: string, paths: readonly string[], version = 'v1') => ({
  type: 'object',
  properties: { spec: { 'x-kubernetes-selectable-fields': 'of no kind' } },
  'x-kubernetes-group-version-kind': [{ group: 'example.dev', version, kind }],
  'x-kubernetes-selectable-fields': paths.map((fieldPath) => ({ fieldPath })),
});

const documentOf = (paths: readonly string[]) => ({
  openapi: '3.0.0',
  paths: {},
  components: {
    schemas: {
      'dev.example.v1.Gadget': schema('Gadget', ['spec.other']),
      'dev.example.v1.Widget': schema('Widget', paths),
      'dev.example.v1.WidgetList': schema('WidgetList', ['spec.list']),
      'dev.example.v2.Widget': schema('Widget', ['spec.later'], 'v2'),
    },
  },
});

describe('CACHE-14: the fields that a definition publishes', () => {
  it.each([[['spec.color', 'spec.size']], [[]]])('%o, of just that kind and version', (paths) => {
    expect(fieldsIn(Buffer.from(JSON.stringify(documentOf(paths))), widgets)).toEqual(paths);
  });

  it.each(["spec['a.b']", 'spec.list[0]', 'metadata.labels', '', 'spec..a', '.spec.a', `spec.${'a'.repeat(64)}`])(
    'a path that is not plain is the member’s to read: %s',
    (path) => {
      expect(fieldsIn(Buffer.from(JSON.stringify(documentOf([path, 'spec.a']))), widgets)).toEqual(['spec.a']);
    },
  );

  it('SEC-2: more of them than a definition may have are none', () => {
    const many = Array.from({ length: 9 }, (_, index) => `spec.f${index}`);
    expect(fieldsIn(Buffer.from(JSON.stringify(documentOf(many))), widgets)).toEqual([]);
  });

  const longest = 15 * 1024 * 1024;
  const long = (text: string) => text.repeat(longest / text.length);
  const own = '"x-kubernetes-group-version-kind":[{"group":"example.dev","version":"v1","kind":"Widget"}]';
  const paths = '"x-kubernetes-selectable-fields":[{"fieldPath":"spec.a"}';
  it.each([
    ['schemas', `${long('"":{},')}"x":{${own},${paths}]}`, []],
    ['members of a schema', `"x":{${long('"":1,')}${own},${paths}]}`, []],
    ['fields', `"x":{${own},${paths}${long(',{"fieldPath":"spec.b"}')}]}`, []],
    ['kinds', `"x":{${own.slice(0, -1)}${long(',{"kind":"a"}')}],${paths}]}`, []],
    ['properties', `"x":{"properties":{${long('"a":[],')}"b":1},${own},${paths}]}`, ['spec.a']],
  ])('LIMIT-3: a hostile document does not hold the event loop: %s', (_, schemas, expected) => {
    const document = Buffer.from(`{"components":{"schemas":{${schemas}}}}`);
    const cpuTime = () => {
      const begun = process.threadCpuUsage();
      expect(fieldsIn(document, widgets)).toEqual(expected);
      const { user, system } = process.threadCpuUsage(begun);
      return (user + system) / 1000;
    };
    // The shortest of three: on a busy machine the same work takes more CPU time.
    expect(Math.min(cpuTime(), cpuTime(), cpuTime())).toBeLessThan(200);
  });

  it.each(['{"x-kubernetes-selectable-fields":1}', '{"components":{"schemas":["x-kubernetes-selectable-fields"]}}'])(
    'a document of another form has none: %s',
    (text) => expect(fieldsIn(Buffer.from(text), widgets)).toEqual([]),
  );
});

describe('CACHE-14: fields count where the member selects by them', () => {
  const member = (list: () => ReturnType<typeof replyOf>, document = documentOf(['spec.color', 'spec.size'])) =>
    new FakeUpstream(({ path }) => (path.startsWith('/openapi/') ? replyOf(200, document) : list()));

  it('it is asked for an object that nobody has', async () => {
    const upstream = member(() => replyOf(200, {}));
    expect(await selectableFieldsOf(upstream, widgets, signal)).toEqual(['spec.color', 'spec.size']);
    expect(upstream.paths.map(decodeURIComponent)).toEqual([
      'GET /openapi/v3/apis/example.dev/v1',
      'GET /apis/example.dev/v1/namespaces/default/widgets?limit=1&fieldSelector=' +
        'metadata.name=fleet-selectable-fields,spec.color=,spec.size=',
    ]);
  });

  it('a refusal is newer than what is published', async () => {
    const upstream = member(() => statusReply(400, 'BadRequest', 'field label not supported: spec.color'));
    expect(await selectableFieldsOf(upstream, widgets, signal)).toEqual([]);
  });

  it('nothing is asked where nothing is published', async () => {
    const upstream = member(() => statusReply(500, 'InternalError', 'asked'), documentOf([]));
    expect(await selectableFieldsOf(upstream, widgets, signal)).toEqual([]);
  });

  it.each([403, 404])('a member that does not publish anything: %i', async (code) => {
    const upstream = new FakeUpstream(() => statusReply(code, 'NotFound', 'no OpenAPI'));
    expect(await selectableFieldsOf(upstream, widgets, signal)).toEqual([]);
  });

  it('SEC-2: a document that is longer than any object', async () => {
    const upstream = new FakeUpstream(() => replyOf(200, { ...documentOf(['spec.a']), text: 'x'.repeat(2 ** 24) }));
    expect(await selectableFieldsOf(upstream, widgets, signal)).toEqual([]);
  });

  it.each([429, 503])('one that cannot answer now is an error: %i', async (code) => {
    const upstream = new FakeUpstream(() => statusReply(code, 'ServiceUnavailable', 'later'));
    await expect(selectableFieldsOf(upstream, widgets, signal)).rejects.toThrow('later');
  });
});

it.each([
  ['', false],
  ['metadata.name=a', false],
  ['metadata.name=a,metadata.namespace!=b', false],
  ['spec.color=red', true],
  ['metadata.name=a,spec.color=red', true],
  ['what is that', true],
])('whether a selector looks at more than names: %s', (selector, expected) => {
  expect(selectsByFields(selector)).toBe(expected);
});
