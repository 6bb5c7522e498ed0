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
    // Items of built-in kinds say neither kind nor version, as their list does.
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

  it('bodies may be YAML', async () => {
    const { ask } = await openServer();
    const yaml = 'metadata: {name: a}\ndata: {x: "1"}';
    expect((await ask('POST', maps, yaml, { 'content-type': 'application/yaml' })).body['data']).toEqual({ x: '1' });
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
    ['GET', '/api/v1/pods', undefined, 404, 'the server could not find the requested resource'],
    ['GET', '/apis/apps/v1/deployments', undefined, 404, 'the server could not find the requested resource'],
    ['GET', `${maps}/a/status`, undefined, 404, 'the server could not find the requested resource'],
    ['POST', '/api/v1/configmaps', map('a'), 405, 'the server does not allow this method on the requested resource'],
    ['POST', maps, '{', 400, /^couldn't get version\/kind; json parse error: /],
    [
      'POST',
      maps,
      { apiVersion: 'v2', kind: 'ConfigMap' },
      400,
      'the API version in the data (v2) does not match the expected API version (v1)',
    ],
    ['POST', '/api/v1/namespaces/nope/configmaps', map('a'), 404, 'namespaces "nope" not found'],
    ['PUT', `${maps}/a`, map('b'), 400, 'the name of the object (b) does not match the name on the URL (a)'],
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
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.generation of type int64',
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

describe('forms', () => {
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

  it('Tables have the columns of kubectl', async () => {
    const { ask } = await openServer();
    await ask('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 's' },
      stringData: { p: 'w', q: 'x' },
    });
    const { body } = await ask('GET', '/api/v1/secrets', undefined, table);
    expect(body).toMatchObject({
      kind: 'Table',
      columnDefinitions: [{ name: 'Name' }, { name: 'Type' }, { name: 'Data' }, { name: 'Age' }],
      rows: [
        {
          cells: ['s', 'Opaque', 2, expect.stringMatching(/^\d+s$/)],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 's' } },
        },
      ],
    });
    const [row] = (await ask('GET', '/api/v1/secrets?includeObject=None', undefined, table)).body['rows'] as object[];
    expect(row).not.toHaveProperty('object');
  });

  it('metadata alone, of one and of many', async () => {
    const { ask } = await openServer();
    const one = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
    const many = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    expect((await ask('GET', '/api/v1/namespaces/default', undefined, one)).body).not.toHaveProperty('spec');
    expect((await ask('GET', '/api/v1/namespaces', undefined, many)).body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata' }, {}, {}, {}],
    });
    expect((await ask('GET', '/api/v1/namespaces', undefined, one)).status).toBe(406);
  });

  it('discovery, as ever and in one document', async () => {
    const { ask } = await openServer();
    expect((await ask('GET', '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { body } = await ask('GET', '/api/v1');
    expect((body['resources'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'configmaps',
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'secrets',
    ]);
    const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
    expect((await ask('GET', '/api', undefined, aggregated)).body).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      items: [{ versions: [{ version: 'v1', resources: [{ resource: 'configmaps', scope: 'Namespaced' }, {}, {}] }] }],
    });
    expect((await ask('GET', '/version')).body).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
    expect((await ask('GET', '/readyz')).body['text']).toBe('ok');
  });
});

describe('watches over HTTP', () => {
  it('are lines of events, with a bookmark behind the beginning', async () => {
    const { ask, watch } = await openServer();
    await ask('POST', maps, map('a'));
    const events = await watch(
      `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    expect((await events.next()).value).toMatchObject({
      type: 'ADDED',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } },
    });
    expect((await events.next()).value).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    await ask('DELETE', `${maps}/a`);
    expect((await events.next()).value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a' } } });
  });

  it('as Tables tell the columns once', async () => {
    const { ask, watch } = await openServer();
    for (const name of ['a', 'b']) await ask('POST', maps, map(name));
    const events = await watch(`${maps}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect((await events.next()).value.object['columnDefinitions']).toHaveLength(3);
    expect((await events.next()).value.object['columnDefinitions']).toBeNull();
  });

  it('of one object by the old path tell of no other', async () => {
    const { ask, watch } = await openServer();
    for (const name of ['a', 'b']) await ask('POST', maps, map(name));
    const events = await watch('/api/v1/watch/namespaces/default/configmaps/b');
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
  });

  it('end after timeoutSeconds', async () => {
    const { watch } = await openServer();
    const events = await watch(`${maps}?watch=1&timeoutSeconds=1`);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
