import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });

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
    expect(row).toHaveProperty('object', null);
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
    const named = (name: string) => (body['resources'] as { name: string }[]).find((one) => one.name === name);
    expect(named('namespaces')).toMatchObject({
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['ns'],
    });
    expect(named('namespaces/finalize')).toMatchObject({ kind: 'Namespace', verbs: ['update'] });
    expect(named('replicationcontrollers/scale')).toMatchObject({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
    expect(named('serviceaccounts/token')).toMatchObject({ kind: 'TokenRequest', verbs: ['create'] });
    const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
    expect((await ask('GET', '/api', undefined, aggregated)).body).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          versions: [
            {
              version: 'v1',
              resources: expect.arrayContaining([
                expect.objectContaining({ resource: 'configmaps', scope: 'Namespaced' }),
              ]),
            },
          ],
        },
      ],
    });
    expect((await ask('GET', '/version')).body).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
    // Typed clients send it with every request.
    const typed = { accept: 'application/vnd.kubernetes.protobuf, */*' };
    for (const path of ['/version', '/openapi/v3', '/']) {
      const { status, headers } = await ask('GET', path, undefined, typed);
      expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type: 'application/json' });
    }
    expect((await ask('GET', '/readyz')).body['text']).toBe('ok');
  });
});

it('what a list is offered in does not depend on a name in its selector', async () => {
  const { ask } = await openServer();
  const accept = { accept: 'text/css' };
  const { body } = await ask('GET', maps, undefined, accept);
  expect(body['message']).toContain('stream=watch');
  expect((await ask('GET', `${maps}?fieldSelector=metadata.name%3Da`, undefined, accept)).body).toEqual(body);
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

  it('as Tables have the columns once', async () => {
    const { ask, watch } = await openServer();
    for (const name of ['a', 'b']) await ask('POST', maps, map(name));
    const events = await watch(`${maps}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect((await events.next()).value.object['columnDefinitions']).toHaveLength(3);
    expect((await events.next()).value.object['columnDefinitions']).toBeNull();
  });

  it('of one object by the old path have no other', async () => {
    const { ask, watch } = await openServer();
    for (const name of ['a', 'b']) await ask('POST', maps, map(name));
    const events = await watch('/api/v1/watch/namespaces/default/configmaps/b');
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
  });

  // As in kube-apiserver 1.36: seconds are multiplied by a billion in 64 bits.
  it('timeoutSeconds that Go cannot parse is refused in its words', async () => {
    const { ask } = await openServer();
    for (const [why, texts] of Object.entries({
      'invalid syntax': ['', 'abc', '1.5', '1e3'],
      'value out of range': ['9223372036854775808', '-9223372036854775809', `1${'0'.repeat(99)}`],
    })) {
      for (const text of texts) {
        const { status, body } = await ask('GET', `${maps}?watch=1&timeoutSeconds=${text}`);
        const message = `strconv.ParseInt: parsing "${text}": ${why}`;
        expect({ status, message: body['message'] }).toEqual({ status: 400, message });
      }
    }
  });

  it('timeoutSeconds beyond what a timer can keep leaves them open', async () => {
    const { ask, watch } = await openServer();
    const long = ['0', '2147483', '2147484', '99999999', '9223372036', '99999999999', '%2B0099999999'];
    const all = await Promise.all(
      [...long, '-9223372036854775808'].map((text) => watch(`${maps}?watch=1&timeoutSeconds=${text}`)),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    await ask('POST', maps, map('a'));
    for (const events of all) {
      expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    }
  });

  it('timeoutSeconds in the past is over at once', async () => {
    const { watch } = await openServer();
    for (const text of ['-1', '-99999999', '9223372037', '18446744073', '9223372036854775807']) {
      const events = await watch(`${maps}?watch=1&timeoutSeconds=${text}`);
      expect(await events.next()).toEqual({ done: true, value: undefined });
    }
  });

  it('end after timeoutSeconds', async () => {
    const { watch } = await openServer();
    const events = await watch(`${maps}?watch=1&timeoutSeconds=1`);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
