import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const named = (rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...rest });
const as = (type: string) => ({ 'content-type': `application/${type}`, 'user-agent': 'tester/1.0' });
const apply = as('apply-patch+yaml');

async function withOne(): Promise<TestServer> {
  const server = await openServer();
  await server.ask('POST', maps, named({ data: { x: '1', y: '1' } }), { 'user-agent': 'maker/1.0' });
  return server;
}

describe('patch', () => {
  it.each([
    [
      'json-patch+json',
      [
        { op: 'replace', path: '/data/x', value: '2' },
        { op: 'remove', path: '/data/y' },
      ],
    ],
    ['merge-patch+json', { data: { x: '2', y: null } }],
    ['strategic-merge-patch+json', { data: { x: '2', y: null } }],
  ])('%s changes the object and its managedFields', async (type, patch) => {
    const { ask } = await withOne();
    const { status, body } = await ask('PATCH', `${maps}/a`, patch, as(type));
    expect([status, body['data']]).toEqual([200, { x: '2' }]);
    const managers = body.metadata!['managedFields'] as { manager: string; operation: string }[];
    expect(managers.map(({ manager, operation }) => [manager, operation])).toEqual([
      ['maker', 'Update'],
      ['tester', 'Update'],
    ]);
  });

  it('of many at once loses none', async () => {
    const { ask } = await withOne();
    const patch = (key: string) => ask('PATCH', `${maps}/a`, { data: { [key]: '1' } }, as('merge-patch+json'));
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(patch));
    expect(Object.keys((await ask('GET', `${maps}/a`)).body['data'] as object)).toHaveLength(8);
  });

  it.each([
    ['a type that is none', 'json', {}, 415, /^415: Unsupported Media Type$/],
    [
      'a path that is not there',
      'json-patch+json',
      [{ op: 'remove', path: '/data/z' }],
      422,
      /the server rejected our request due to an error in our request$/,
    ],
    ['no JSON', 'merge-patch+json', '{', 400, /^error decoding patch: /],
    [
      'another version',
      'merge-patch+json',
      { metadata: { resourceVersion: '1' } },
      409,
      /the object has been modified/,
    ],
    [
      'another name',
      'merge-patch+json',
      { metadata: { name: 'b' } },
      400,
      /^the name of the object \(b\) does not match the name on the URL \(a\)$/,
    ],
    [
      'a wrong type',
      'merge-patch+json',
      { data: { x: 1 } },
      422,
      /json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
    ],
  ])('%s is refused', async (_, type, patch, code, message) => {
    const { ask, internalErrors } = await withOne();
    const answer = await ask('PATCH', `${maps}/a`, patch, as(type));
    expect([answer.status, answer.body['message']]).toEqual([code, expect.stringMatching(message)]);
    expect(internalErrors).toEqual([]);
  });

  it('what is not there is not found', async () => {
    const { ask } = await openServer();
    expect((await ask('PATCH', `${maps}/nope`, {}, as('merge-patch+json'))).status).toBe(404);
  });
});

describe('server-side apply', () => {
  it('makes what is not there, and takes away what its manager no longer wants', async () => {
    const { ask } = await openServer();
    const made = await ask('PATCH', `${maps}/a?fieldManager=me`, named({ data: { x: '1', y: '1' } }), apply);
    expect(made.status).toBe(201);
    const again = await ask('PATCH', `${maps}/a?fieldManager=me`, named({ data: { x: '2' } }), apply);
    expect([again.status, again.body['data']]).toEqual([200, { x: '2' }]);
  });

  it('conflicts over what another owns, unless it is forced', async () => {
    const { ask } = await withOne();
    const mine = named({ data: { x: '2' } });
    const refused = await ask('PATCH', `${maps}/a?fieldManager=me`, mine, apply);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('conflict with "maker"') } });
    const forced = await ask('PATCH', `${maps}/a?fieldManager=me&force=true`, mine, apply);
    expect([forced.status, forced.body['data']]).toEqual([200, { x: '2', y: '1' }]);
  });

  it('needs a manager, and a namespace that is there', async () => {
    const { ask } = await openServer();
    expect((await ask('PATCH', `${maps}/a`, named(), apply)).body['message']).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
    const nowhere = await ask('PATCH', '/api/v1/namespaces/nope/configmaps/a?fieldManager=me', named(), apply);
    expect(nowhere.body['message']).toBe('namespaces "nope" not found');
  });
});

describe('COMPAT-4: an invalid patch has the error of its first decoder', () => {
  const ignoring = '?fieldValidation=Ignore';
  it.each([
    [
      'json-patch+json',
      '',
      '{}',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    ['json-patch+json', ignoring, '{}', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['json-patch+json', ignoring, '[5]', 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
    ['json-patch+json', ignoring, '[', 'unexpected end of JSON input'],
    ['merge-patch+json', '', '{"a":', 'error decoding patch: unexpected end of JSON input'],
    ['merge-patch+json', ignoring, '{"a":', 'Invalid JSON Patch'],
    ['merge-patch+json', ignoring, '5', 'Invalid JSON Patch'],
    ['strategic-merge-patch+json', '', '{"data":x}', "invalid character 'x' looking for beginning of value"],
  ])('%s%s %s', async (type, query, patch, message) => {
    const { ask } = await withOne();
    const { status, body } = await ask('PATCH', `${maps}/a${query}`, patch, as(type));
    expect([status, body['message']]).toEqual([400, message]);
  });

  it.each([
    [
      'merge-patch+json',
      ignoring,
      '[]',
      '"[]": couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value',
    ],
    ['strategic-merge-patch+json', '', '{"data":{"x":5}}', '"map[data:map[x:5]]": cannot convert int64 to string'],
    ['strategic-merge-patch+json', '', '{"data":5}', '"map[data:5]": cannot restore map from int64'],
    [
      'strategic-merge-patch+json',
      '?fieldValidation=Strict',
      '{"z":1,"data":{},"data":{},"b":1}',
      '"map[b:1 data:map[] z:1]": strict decoding error: duplicate field "data", unknown field "b", unknown field "z"',
    ],
  ])('%s%s %s makes what is no object', async (type, query, patch, why) => {
    const { ask } = await withOne();
    const { status, body } = await ask('PATCH', `${maps}/a${query}`, patch, as(type));
    expect([status, body['message']]).toEqual([
      422,
      expect.stringContaining(` "" is invalid: patch: Invalid value: ${why}`),
    ]);
  });

  it('of an apply fields that stand twice are refused, or warned of', async () => {
    const { ask } = await withOne();
    const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},"data":{},"data":{"a":"b"}}';
    const strict = await ask('PATCH', `${maps}/b?fieldManager=m&fieldValidation=Strict`, text, apply);
    expect(strict.body['message']).toBe(
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "data" already set in map',
    );
    const warned = await ask('PATCH', `${maps}/b?fieldManager=m`, text, apply);
    expect([warned.status, warned.headers['warning']]).toEqual([
      201,
      ['299 - "line 1: key \\"data\\" already set in map"'],
    ]);
  });

  it('what an apply makes is converted as Go does it', async () => {
    const { ask } = await withOne();
    const event = (more: object) => ({ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, ...more });
    const path = '/api/v1/namespaces/default/events/e?fieldManager=m';
    const refused = await ask('PATCH', path, event({ firstTimestamp: 'x' }), apply);
    expect([refused.status, refused.body['message']]).toEqual([
      500,
      'failed to convert new object (/e; /v1, Kind=Event) to proper version: unable to convert unstructured object to /v1, Kind=Event: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ]);
    const other = await ask('PATCH', path, { ...event({}), apiVersion: 'a/b/c' }, apply);
    expect(other.body['message']).toBe('invalid object type: /, Kind=');
  });

  it('an apply to the status makes what an update of it makes', async () => {
    const { ask } = await withOne();
    const applied = async (path: string, kind: string) => {
      const [group, version] = path.startsWith('/apis') ? ['apps/', 'v1'] : ['', 'v1'];
      const body = { apiVersion: `${group}${version}`, kind, metadata: { name: 'x' }, spec: { ports: [{ port: 80 }] } };
      return (await ask('PATCH', `${path}/x/status?fieldManager=m`, body, apply)).status;
    };
    const services = '/api/v1/namespaces/default/services';
    expect(await applied(services, 'Nonsense')).toBe(400);
    expect(await applied(services, 'Service')).toBe(201);
    expect(await applied('/apis/apps/v1/namespaces/default/deployments', 'Deployment')).toBe(404);
  });

  it('truncated YAML has the error of Go', async () => {
    const { ask } = await withOne();
    const errorOf = async (text: string) =>
      (await ask('PATCH', `${maps}/b?fieldManager=m`, text, apply)).body['message'];
    const before = 'error decoding YAML: error converting YAML to JSON: yaml: ';
    expect(await errorOf('{"a":"b')).toBe(`${before}found unexpected end of stream`);
    expect(await errorOf('{"a":{"b":1}')).toBe(`${before}line 1: did not find expected ',' or '}'`);
    expect(await errorOf('{"a":[1')).toBe(`${before}line 1: did not find expected ',' or ']'`);
    expect(await errorOf('{"a":')).toBe(`${before}line 1: did not find expected node content`);
  });
});
