import { PassThrough } from 'node:stream';
import type { Headers } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf } from '../testing/targets.ts';
import { pass } from './pass.ts';

const proxy = '/api/v1/namespaces/d/pods/x/proxy';

function route(status: number, headers: Headers) {
  const upstream = new FakeUpstream(() => replyOf(status, '', headers));
  upstream.upgradeAnswer = async () => ({ is: 'refused', reply: replyOf(status, '', headers) });
  return { cluster: 'm1', ready: true, upstream, identity: {}, strip: stripAt('m1'), kinds: knownKinds };
}

const passed = (url: string, status: number, headers: Headers, upgrade = false, method = 'GET') =>
  pass(route(status, headers), targetOf(method, url), incomingOf(method, url, { upgrade }));

const locationOf = async (url: string, location: string, upgrade = false) =>
  (await passed(url, 307, { location }, upgrade)).headers['location'];

const refused = { code: 502, message: 'cluster "m1" attempted to redirect this request, which is not permitted' };

describe('SEC-1: a redirect of a member', () => {
  it.each([301, 302, 303, 307, 308])('%s is 502, whatever it leads to', async (status) => {
    for (const location of ['https://evil/', '/api/v1/namespaces/d/pods/x', 'x', '']) {
      for (const upgrade of [false, true]) {
        const asked = passed('/clusterspaces/m1/api/v1/namespaces/d/pods/x', status, { location }, upgrade);
        await expect(asked, location).rejects.toMatchObject(refused);
      }
    }
  });

  it.each(['POST', 'PUT', 'DELETE'])('is 502 for %s by suffixed name, too', async (method) => {
    const url = '/api/v1/namespaces/d/pods/x.clusterspace.m1';
    await expect(passed(url, 307, { location: '/' }, false, method)).rejects.toMatchObject(refused);
  });

  it('that leads nowhere passes: 304', async () => {
    expect((await passed('/clusterspaces/m1/openapi/v2', 304, { etag: 'a' })).status).toBe(304);
  });

  // Each family, as the client wrote the way to the proxy.
  const families = [
    `/clusterspaces/m1${proxy}`,
    '/api/v1/namespaces/d/clusterspaces/m1/pods/x/proxy',
    `/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy${proxy}`,
    `/clusters/m1${proxy}`,
    `/api/clusters/m1${proxy.slice('/api'.length)}`,
    '/api/v1/namespaces/d/pods/x.clusterspace.m1/proxy',
    '/api/v1/namespaces/d.clusterspace.m1/pods/x/proxy',
  ];

  it.each(families)('within a proxy goes on below %s', async (outer) => {
    for (const upgrade of [false, true]) {
      const from = `${outer}/a/b?c=d`;
      expect(await locationOf(from, `${proxy}/login?next=%2F#top`, upgrade)).toBe(`${outer}/login?next=%2F#top`);
      expect(await locationOf(from, '../e', upgrade)).toBe(`${outer}/e`);
      expect(await locationOf(from, '?e', upgrade)).toBe(`${outer}/a/b?e`);
      // As kube-apiserver redirects a URL without the slash.
      expect(await locationOf(outer, `${proxy}/?c=d`, upgrade)).toBe(`${outer}/?c=d`);
    }
  });

  it('names the cluster again where the query named it', async () => {
    expect(await locationOf(`${proxy}/a?b&clusterspace=m1`, `${proxy}/c?d`)).toBe(`${proxy}/c?clusterspace=m1&d`);
    const untouched = `/clusters/m1${proxy}/a?clusterspace=m2`;
    expect(await locationOf(untouched, `${proxy}/c?d`)).toBe(`/clusters/m1${proxy}/c?d`);
  });

  it('is compared by what its segments mean', async () => {
    const outer = '/clusterspaces/m1/api/v1/namespaces/d/services/https%3Ax%3A443/proxy';
    const location = '/api/v1/namespaces/d/services/https:x:443/proxy/y';
    expect(await locationOf(`${outer}/`, location)).toBe(`${outer}/y`);
  });

  it.each([
    'https://evil/',
    `https://evil${proxy}/`,
    `//evil${proxy}/`,
    `\\\\evil${proxy}/`,
    '/',
    '/api/v1/namespaces/d/pods/x',
    `${proxy}2/`,
    `${proxy}/../../y/proxy/`,
    `${proxy}/%2e%2e/%2e%2e/y/proxy/`,
    `${proxy}/..\\..\\y/proxy/`,
    '../../../x',
    'javascript:alert(1)',
    'http://[',
    '?clusterspace=m2',
    `${proxy}/a?b&cluster%73pace=m2`,
  ])('that leaves the proxy is 502: %s', async (location) => {
    for (const outer of families) {
      for (const upgrade of [false, true]) {
        await expect(locationOf(`${outer}/a`, location, upgrade), outer).rejects.toMatchObject(refused);
      }
    }
  });

  it('twice in one answer is 502', async () => {
    const location = [`${proxy}/a`, 'https://evil/'];
    await expect(passed(`/clusterspaces/m1${proxy}/`, 302, { location })).rejects.toMatchObject(refused);
  });

  it.each(['/apis/cluster.karmada.io/v1alpha1/clusters/m2/proxy', '/apis/x.io/v1/namespaces/d/pods/x/proxy'])(
    'below a proxy to a whole API server is 502: %s',
    async (inner) => {
      const asked = locationOf(`/clusterspaces/karmada${inner}/a`, `${inner}/b`);
      await expect(asked).rejects.toMatchObject({ code: 502 });
    },
  );
});

const ofOrigin = {
  'set-cookie': ['a=b', 'c=d'],
  'clear-site-data': '"*"',
  'service-worker-allowed': '/',
  'access-control-allow-origin': '*',
  'access-control-allow-credentials': 'true',
  'strict-transport-security': 'max-age=1',
  'alt-svc': 'h2="evil:443"',
  'report-to': '{}',
};

describe('SEC-1: headers of a member', () => {
  it('about this server’s origin are dropped', async () => {
    const pods = `/clusterspaces/m1/api/v1/namespaces/d/pods`;
    for (const url of [pods, `${pods}/x`, `${pods}/x/log`, `${pods}/x/proxy/`, '/clusterspaces/karmada/version']) {
      const { headers } = await passed(url, 200, { ...ofOrigin, 'x-a': '1' });
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['content-type', 'x-a']));
      for (const name of Object.keys(ofOrigin)) expect(headers).not.toHaveProperty(name);
    }
  });

  it('are dropped from an answer that changes protocols', async () => {
    const url = `/clusterspaces/m1${proxy}/socket`;
    const to = route(200, {});
    const head = { upgrade: 'websocket', connection: 'Upgrade' };
    to.upstream.upgradeAnswer = async () => ({
      is: 'upgraded',
      ...{ status: 101, statusText: 'Switching Protocols', stream: new PassThrough(), head: Buffer.alloc(0) },
      headers: { ...head, ...ofOrigin },
    });
    const reply = await pass(to, targetOf('GET', url), incomingOf('GET', url, { upgrade: true }));
    expect(reply).toMatchObject({ is: 'upgraded', headers: head });
    expect(Object.keys(reply.headers)).toEqual(Object.keys(head));
  });

  const page = { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" };

  it.each(['pods/x', 'services/http:x:80', 'pods/x.clusterspace.m1'])('a page of %s is sandboxed', async (name) => {
    const url = `/api/v1/namespaces/d/${name}/proxy/`;
    const { headers } = await passed(name.includes('clusterspace') ? url : `/clusterspaces/m1${url}`, 200, page);
    expect(headers['content-security-policy']).toEqual(["default-src 'self'", 'sandbox']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('whatever a node’s proxy answers is sandboxed, errors and redirects, too', async () => {
    const nodes = '/api/v1/nodes/n/proxy';
    const sandboxed = { 'content-security-policy': ['sandbox'], 'x-content-type-options': 'nosniff' };
    for (const status of [200, 302, 404, 500]) {
      const asked = passed(`/clusters/m1${nodes}/`, status, { location: `${nodes}/a`, 'content-type': 'text/plain' });
      expect((await asked).headers).toMatchObject(sandboxed);
    }
  });

  it('a setting lets pages behind proxies run', async () => {
    const url = `/clusterspaces/m1${proxy}/`;
    const open = { ...route(200, page), openPages: true };
    const { headers } = await pass(open, targetOf('GET', url), incomingOf('GET', url));
    expect(headers['content-security-policy']).toBe("default-src 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('a page that a member passes off as an API’s answer is sandboxed in any case', async () => {
    const url = '/clusterspaces/m1/apis/evil.io/v1/things';
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/json+html',
      'application/json, text/html',
      undefined,
    ]) {
      const open = { ...route(200, { 'content-type': type }), openPages: true };
      const { headers } = await pass(open, targetOf('GET', url), incomingOf('GET', url));
      expect(headers['content-security-policy'], type).toEqual(['sandbox']);
    }
  });

  it('objects and logs come as they are', async () => {
    for (const type of ['application/json', 'application/json;stream=watch', 'text/plain; charset=utf-8']) {
      const { headers } = await passed('/clusterspaces/m1/api/v1/pods', 200, { 'content-type': type });
      expect(headers).toEqual({ 'content-type': type });
    }
  });
});
