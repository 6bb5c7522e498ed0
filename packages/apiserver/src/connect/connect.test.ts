import { describe, expect, it } from 'vitest';
import { podAt, podsUrl, withPods } from '../testing/connected-server.ts';
import { TestConnector } from './testing/test-connector.ts';

describe('CP-3: what kube-apiserver checks before it asks a node', () => {
  it.each([
    [
      'GET',
      'one/log?tailLines=-1',
      422,
      'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'GET',
      'one/log?limitBytes=0',
      422,
      'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
    [
      'GET',
      'one/log?sinceSeconds=0',
      422,
      'PodLogOptions "one" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0',
    ],
    [
      'GET',
      'one/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
      422,
      'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['GET', 'one/log?stream=Stdout', 422, 'PodLogOptions "one" is invalid: stream: Forbidden: may not be specified'],
    ['GET', 'one/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['GET', 'one/log?sinceTime=x', 400, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['GET', 'none/log', 404, 'pods "none" not found'],
    ['GET', 'two/log', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['GET', 'two/log?container=c', 400, 'container c is not valid for pod two'],
    ['POST', 'one/log', 405, 'the server does not allow this method on the requested resource'],
    ['GET', 'one/log/x', 404, 'the server could not find the requested resource'],
    ['POST', 'none/exec?command=a', 404, 'pods "none" not found'],
    ['POST', 'two/exec?command=a', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['POST', 'two/attach?container=c', 400, 'container c is not valid for pod two'],
    ['POST', 'lost/exec?command=a', 400, 'pod lost does not have a host assigned'],
    ['POST', 'lost/portforward', 400, 'pod lost does not have a host assigned'],
    ['POST', 'one/exec?command=a&stdout=1', 400, 'Upgrade request required'],
    ['GET', 'one/portforward', 400, 'Upgrade request required'],
    [
      'POST',
      'none/portforward?ports=80,x',
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'POST',
      'none/portforward?ports=65536',
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "65536": value out of range',
    ],
    ['PUT', 'one/exec', 405, 'the server does not allow this method on the requested resource'],
    ['POST', 'one/exec?dryRun=All', 400, 'dryRun is not supported'],
    ['GET', 'a:b:c:d/proxy/', 400, 'invalid pod request "a:b:c:d"'],
    ['GET', 'ftp:one:80/proxy/', 400, 'invalid pod request "ftp:one:80"'],
    ['GET', 'one/proxy/', 400, 'address not allowed'],
  ])('%s %s: %i', async (method, path, code, message) => {
    const { ask } = await withPods(new TestConnector());
    expect((await ask(method, `${podsUrl}/${path}`)).body).toMatchObject({ kind: 'Status', code, message });
  });

  it.each([
    ['GET', '/api/v1/pods/one/log'],
    ['POST', '/api/v1/pods/one/exec?command=a'],
    ['GET', '/api/v1/pods/one/proxy/'],
    ['GET', '/api/v1/services/one/proxy/'],
    ['GET', '/api/v1/namespaces/default/nodes/one/proxy/'],
  ])(
    'at another scope than the resource has, where another permission was asked for, there is nothing: %s %s',
    async (method, path) => {
      const { ask } = await withPods(new TestConnector());
      const message = 'the server could not find the requested resource';
      expect((await ask(method, path)).body).toMatchObject({ kind: 'Status', code: 404, message });
    },
  );

  it('a pod on no node has no log yet', async () => {
    const { ask } = await withPods(new TestConnector());
    expect(await ask('GET', `${podsUrl}/lost/log`)).toMatchObject({ status: 204, body: { text: '' } });
  });

  it('containers of all kinds can be chosen', async () => {
    const connector = new TestConnector();
    const { ask } = await withPods(connector);
    const initContainers = [{ name: 'first', image: 'i' }];
    await ask('POST', podsUrl, podAt('init', ['a', 'b'], { nodeName: 'node', initContainers }));
    expect((await ask('GET', `${podsUrl}/init/log`)).body['message']).toContain('choose one of: [first a b]');
    expect(await ask('GET', `${podsUrl}/init/log?container=first`)).toMatchObject({ status: 200 });
    expect(connector.asked).toMatchObject([{ log: 'init', container: 'first' }]);
  });
});

it('a log is text, with the options that were asked for', async () => {
  const connector = new TestConnector();
  const { ask } = await withPods(connector);
  const { status, headers, body } = await ask(
    'GET',
    `${podsUrl}/one/log?tailLines=2&timestamps=true&sinceTime=2026-01-01T01:00:00%2B01:00&timeout=nonsense`,
  );
  expect({ status, type: headers['content-type'], body }).toEqual({
    status: 200,
    type: 'text/plain',
    body: { text: 'line 1\nline 2\n' },
  });
  expect(connector.asked).toEqual([
    {
      log: 'one',
      container: 'app',
      follow: false,
      previous: false,
      timestamps: true,
      sinceSeconds: undefined,
      sinceTime: '2026-01-01T00:00:00Z',
      tailLines: 2,
      limitBytes: undefined,
      stream: 'All',
    },
  ]);
  expect((await ask('GET', `${podsUrl}/one/log?previous=true`)).body).toMatchObject({ code: 400 });
});

describe('a proxy', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { ports: [{ name: 'http', port: 80 }] },
  };

  it.each([
    [
      '/api/v1/namespaces/default/services/web/proxy/a%2Fb/?x=1',
      { name: 'web', scheme: '', port: '', path: '/a%2Fb/?x=1' },
    ],
    [
      '/api/v1/namespaces/default/services/https:web:http/proxy/',
      { name: 'web', scheme: 'https', port: 'http', path: '/' },
    ],
    ['/api/v1/namespaces/default/services/web:80/proxy/a', { name: 'web', scheme: '', port: '80', path: '/a' }],
    ['/api/v1/namespaces/default/pods/one/proxy/a', { name: 'one', scheme: '', port: '80', path: '/a' }],
    ['/api/v1/nodes/n:10250/proxy/pods?timeout=x', { name: 'n', scheme: '', port: '10250', path: '/pods?timeout=x' }],
  ])('%s', async (url, target) => {
    const { ask } = await withPods(new TestConnector());
    await ask('POST', '/api/v1/namespaces/default/services', service);
    await ask('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    await ask('PATCH', `${podsUrl}/one/status`, { status: { podIPs: [{ ip: '10.0.0.1' }] } }, merge);
    // Unchanged: neither its format nor its lines are the server's.
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const reply = await ask(method, url, undefined, { accept: 'application/yaml', 'user-agent': 'curl/8' });
      expect(reply).toMatchObject({ status: 200, body: target, headers: { 'content-type': 'application/json' } });
    }
  });

  const merge = { 'content-type': 'application/merge-patch+json' };

  it('without a slash behind it leads there', async () => {
    const { ask } = await withPods(new TestConnector());
    await ask('POST', '/api/v1/namespaces/default/services', service);
    const { status, headers } = await ask('GET', '/api/v1/namespaces/default/services/web/proxy?a=b');
    expect([status, headers['location']]).toEqual([301, '/api/v1/namespaces/default/services/web/proxy/?a=b']);
  });

  it.each([
    ['services/none/proxy/', 404, 'services "none" not found'],
    ['services/web:81/proxy/', 503, 'no service port 81 found for service "web"'],
  ])('%s: %i', async (path, code, message) => {
    const { ask } = await withPods(new TestConnector());
    await ask('POST', '/api/v1/namespaces/default/services', service);
    expect((await ask('GET', `/api/v1/namespaces/default/${path}`)).body).toMatchObject({ code, message });
  });
});

describe('a server that runs no pods', () => {
  it.each([
    ['GET', 'pods/one/log'],
    ['POST', 'pods/one/exec?command=a'],
    ['POST', 'pods/one/portforward'],
  ])('reports that: %s %s', async (method, path) => {
    const { ask } = await withPods();
    expect((await ask(method, `/api/v1/namespaces/default/${path}`)).body).toMatchObject({
      kind: 'Status',
      code: 501,
      reason: 'NotImplemented',
      message: 'this server runs no pods',
    });
  });

  it('does not announce what leads to them; one with a connector does', async () => {
    for (const connector of [undefined, new TestConnector()]) {
      const { ask } = await withPods(connector);
      const { body } = await ask('GET', '/api/v1');
      const resources = body['resources'] as { name: string; kind: string; verbs: string[] }[];
      const names = resources.filter(({ name }) => name.startsWith('pods/')).map(({ name }) => name.slice(5));
      for (const name of ['attach', 'exec', 'log', 'portforward', 'proxy']) {
        expect(names.includes(name)).toBe(connector !== undefined);
      }
      expect(names).toEqual(names.toSorted());
      if (!connector) continue;
      expect(resources).toContainEqual({
        name: 'pods/exec',
        singularName: '',
        namespaced: true,
        kind: 'PodExecOptions',
        verbs: ['create', 'get'],
      });
    }
  });
});

it('AUTHZ-2: whoever may only get a subresource must not run anything with it; logs need no more', async () => {
  const { ask } = await withPods(new TestConnector());
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const named = { metadata: { name: 'reader' } };
  const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/log'], verbs: ['get'] }];
  await ask('POST', `${rbac}/roles`, { ...named, rules });
  const subjects = [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { kind: 'Role', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' };
  await ask('POST', `${rbac}/rolebindings`, { ...named, subjects, roleRef });
  const ann = { 'impersonate-user': 'ann' };
  expect((await ask('GET', `${podsUrl}/one/exec?command=a&stdout=1`, undefined, ann)).body).toMatchObject({
    code: 403,
    message: 'pods "one" is forbidden: ',
  });
  expect((await ask('POST', `${podsUrl}/one/exec`, undefined, ann)).body['message']).toContain(
    'cannot create resource "pods/exec"',
  );
  expect((await ask('GET', `${podsUrl}/one/log`, undefined, ann)).status).toBe(200);
});
