import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });

describe('the verbs over HTTP', () => {
  it('create, get, list, update and delete', async () => {
    const { ask } = await openServer();
    const created = await ask('POST', maps, map('a', { data: { x: '1' } }));
    expect(created).toMatchObject({
      status: 201,
      body: { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } },
    });
    expect((await ask('GET', `${maps}/a`)).body).toEqual(created.body);

    const list = await ask('GET', '/api/v1/configmaps');
    expect(list.body).toMatchObject({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: created.body.metadata!['resourceVersion'] },
    });
    // Items of built-in kinds have neither kind nor apiVersion, as those are in the list.
    const { kind: _, apiVersion: __, ...item } = created.body;
    expect(list.body.items).toEqual([item]);

    const updated = await ask('PUT', `${maps}/a`, map('a', { data: { x: '2' } }));
    expect(updated).toMatchObject({ status: 200, body: { data: { x: '2' } } });
    expect(await ask('DELETE', `${maps}/a`)).toMatchObject({
      status: 200,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: created.body.metadata!['uid'] },
      },
    });
    expect((await ask('GET', `${maps}/a`)).status).toBe(404);
  });

  it.each(['/apis/nobody.com/v1/widgets', '/apis/nobody.com', '/nowhere'])('%s leads nowhere', async (url) => {
    const { ask } = await openServer();
    const { status, headers, body } = await ask('GET', url);
    expect([status, headers['content-type'], body['text']]).toEqual([
      404,
      'text/plain; charset=utf-8',
      '404 page not found\n',
    ]);
  });

  it('answers are JSON, YAML or protobuf, as asked for', async () => {
    const { ask } = await openServer();
    await ask('POST', maps, map('a', { data: { x: '1' } }));
    const get = (accept: string, url = `${maps}/a`) => ask('GET', url, undefined, { accept });
    const yaml = await get('application/yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(yaml.body['text']).toMatch(/^apiVersion: v1\ndata:\n {2}x: "1"\nkind: ConfigMap\n/);
    const protobuf = await get('application/vnd.kubernetes.protobuf,application/json');
    expect(protobuf.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    expect(protobuf.body['text']).toMatch(/^k8s\0/);
    expect((await get('application/vnd.kubernetes.protobuf', maps)).body['text']).toContain('ConfigMapList');
    expect((await get('application/yaml', `${maps}/b`)).body['text']).toContain('reason: NotFound');
    expect((await get('text/plain')).body['message']).toBe(
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  });

  it.each(['', 'Warn', 'Ignore', 'Strict'])('fieldValidation=%s of fields that mean nothing', async (directive) => {
    const { ask } = await openServer();
    const body = '{"metadata":{"name":"a","odd":1},"data":{"x":"1","x":"2"},"data":{}}';
    const { status, headers, body: answer } = await ask('POST', `${maps}?fieldValidation=${directive}`, body);
    const faults = ['unknown field "metadata.odd"', 'duplicate field "data.x"', 'duplicate field "data"'];
    expect(status).toBe(directive === 'Strict' ? 400 : 201);
    expect(headers['warning']).toEqual(
      ['', 'Warn'].includes(directive) ? faults.map((fault) => `299 - "${fault.replaceAll('"', '\\"')}"`) : undefined,
    );
    if (directive === 'Strict') expect(answer['message']).toContain(`strict decoding error: ${faults.join(', ')}`);
  });

  it('bodies may be YAML', async () => {
    const { ask } = await openServer();
    const yaml = 'metadata: {name: a}\ndata: {x: "1"}';
    expect((await ask('POST', maps, yaml, { 'content-type': 'application/yaml' })).body['data']).toEqual({ x: '1' });
  });

  it.each([
    ['application/json', 60 * 1024, 70 * 1024],
    ['application/yaml', 7 * 1024, 9 * 1024],
  ])('LIMIT-3: a question of more than can be read at once is refused, as %s', async (type, taken, refused) => {
    const { ask } = await openServer();
    const reviewed = (size: number) =>
      ask(
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?fieldValidation=Ignore',
        JSON.stringify({ spec: { nonResourceAttributes: { path: '/', verb: 'get' } }, none: 'x'.repeat(size) }),
        { 'content-type': type },
      );
    expect((await reviewed(taken)).status).toBe(201);
    expect(await reviewed(refused)).toMatchObject({ status: 413, body: { reason: 'RequestEntityTooLarge' } });
  });

  it('a collection is deleted by its labels and answers what was in it', async () => {
    const { ask } = await openServer();
    for (const name of ['a', 'b']) await ask('POST', maps, map(name, { metadata: { name, labels: { name } } }));
    expect((await ask('DELETE', `${maps}?labelSelector=name%3Da`)).body.items).toHaveLength(1);
    expect((await ask('GET', maps)).body.items).toHaveLength(1);
  });

  it.each([
    ['GET', `${maps}/nope`, undefined, 404, 'configmaps "nope" not found'],
    [
      'GET',
      `${maps}/nope?resourceVersion=999`,
      undefined,
      504,
      /^Timeout: Too large resource version: 999, current: \d+$/,
    ],
    ['GET', '/api/v1/widgets', undefined, 404, 'the server could not find the requested resource'],
    ['GET', '/apis/apps/v2/deployments', undefined, 404, 'the server could not find the requested resource'],
    ['GET', `${maps}/a/status`, undefined, 404, 'the server could not find the requested resource'],
    ['POST', '/api/v1/configmaps', map('a'), 405, 'the server does not allow this method on the requested resource'],
    [
      'POST',
      maps,
      '{',
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
    ],
    [
      'POST',
      maps,
      { apiVersion: 'v2', kind: 'ConfigMap' },
      400,
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ['POST', '/api/v1/namespaces/nope/configmaps', map('a'), 404, 'namespaces "nope" not found'],
    ['PUT', `${maps}/a`, map('b'), 400, 'the name of the object (b) does not match the name on the URL (a)'],
    [
      'POST',
      maps,
      { kind: 'Secret' },
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'POST',
      maps,
      '[]',
      400,
      /json: cannot unmarshal array into Go value of type struct \{ APIVersion string .* \} \(5b5d\)$/,
    ],
    [
      'POST',
      maps,
      map('a', { metadata: { name: 'a', finalizers: ['x'] } }),
      422,
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    ],
    ['GET', '/api/v1/namespaces?fieldSelector=a%3Db', undefined, 400, 'field label not supported: a'],
    [
      'GET',
      `${maps}?continue=abcd`,
      undefined,
      400,
      "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
    ],
    [
      'GET',
      `${maps}?watch=1&resourceVersion=x`,
      undefined,
      500,
      'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ['GET', `${maps}?limit=x`, undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['GET', `${maps}?labelSelector=%3D`, undefined, 400, "found '=', expected: !, identifier, or 'end of string'"],
    [
      'GET',
      `${maps}?fieldSelector=a%3Db`,
      undefined,
      400,
      '"a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'GET',
      `${maps}?resourceVersionMatch=Exact`,
      undefined,
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'GET',
      `${maps}?watch=1&sendInitialEvents=true`,
      undefined,
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'POST',
      `${maps}?dryRun=Some`,
      map('a'),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    [
      'DELETE',
      `${maps}/a?propagationPolicy=Never`,
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    ['GET', '/api/v1/namespaces/%zz', undefined, 400, 'the path cannot be decoded'],
  ])('%s %s is refused in the words of kube-apiserver', async (method, url, body, code, message) => {
    const { ask } = await openServer();
    const answer = await ask(method, url, body);
    expect(answer.status).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code });
    if (typeof message === 'string') expect(answer.body['message']).toBe(message);
    else expect(answer.body['message']).toMatch(message);
  });

  it('faults of metadata are causes of the server and of the kind, as in kube-apiserver', async () => {
    const { ask } = await openServer();
    await ask('POST', maps, map('a'));
    const { body } = await ask('PUT', `${maps}/a`, map('a', { metadata: { name: 'a', labels: { '-': 'x' } } }));
    expect((body['details'] as { causes: unknown[] }).causes).toHaveLength(4);
  });

  it('forms and formats that are not there', async () => {
    const { ask } = await openServer();
    expect((await ask('GET', maps, undefined, { accept: 'text/html' })).status).toBe(406);
    expect((await ask('POST', maps, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.each([
    ['x', 'json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta'],
    [{ name: 5 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string'],
    [
      { labels: [] },
      'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [
      { annotations: { a: true } },
      'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string',
    ],
    [
      { finalizers: 'x' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string',
    ],
    [
      { ownerReferences: [1] },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.ownerReferences of type v1.OwnerReference',
    ],
    [
      { generation: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64',
    ],
    [{ creationTimestamp: 'x' }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ])('metadata %j is refused in the words of Go', async (metadata, why) => {
    const { ask, internalErrors } = await openServer();
    const { status, body } = await ask('POST', maps, { metadata });
    expect([status, body['message']]).toEqual([
      400,
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`,
    ]);
    expect(internalErrors).toEqual([]);
  });

  it('nulls in metadata are nothing, and what metadata does not have is dropped', async () => {
    const { ask } = await openServer();
    const { body } = await ask('POST', maps, {
      metadata: { name: 'a', labels: null, annotations: { a: null }, odd: 1 },
    });
    expect(body.metadata).toMatchObject({ annotations: { a: '' } });
    expect(body.metadata).not.toHaveProperty('labels');
    expect(body.metadata).not.toHaveProperty('odd');
  });
});
