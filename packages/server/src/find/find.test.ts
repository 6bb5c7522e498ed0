import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { forbidden, unavailable } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { type Answer, FakeUpstream, openBody, replyOf } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { stripAt } from '../testing/targets.ts';
import { type FindAsk, objectPath, onlyOne, seek } from './find.ts';

const find = async (request: FindAsk) => onlyOne(request, await seek(request));

const ask: ResourceRequest = {
  verb: 'get',
  group: 'apps',
  version: 'v1',
  namespace: 'default',
  resource: 'deployments',
  name: 'web',
  subresource: undefined,
  rest: [],
};

/** What each member answers; 0 is one that cannot be tried, -1 one that must not know the user. */
const search = (
  codes: Record<string, number>,
  more: Partial<Parameters<typeof find>[0]> = {},
  answers: Record<string, Answer> = {},
) => {
  const upstreams = new Map(
    Object.entries(codes).map(([name, code]) => [name, new FakeUpstream(answers[name] ?? (() => replyOf(code, {})))]),
  );
  const result = find({
    ask,
    method: 'GET',
    clusters: Object.keys(codes),
    routeTo: (cluster) => {
      if (codes[cluster] === 0) throw unavailable('not ready');
      if (codes[cluster] === -1) throw forbidden('no identity');
      const upstream = upstreams.get(cluster)!;
      return {
        cluster,
        ready: true,
        upstream,
        identity: { 'impersonate-user': 'alice' },
        strip: stripAt(cluster),
        kinds: knownKinds,
      };
    },
    signal: new AbortController().signal,
    ...more,
  });
  return { result, upstreams };
};

it.each([
  ['x', '/api/v1/namespaces/d/services/x'],
  ['x:80', '/api/v1/namespaces/d/services/x'],
  ['https:x:web', '/api/v1/namespaces/d/services/x'],
])('LIST-7: behind the proxy to %s there is an object', (name, path) => {
  const proxied = { ...ask, group: '', namespace: 'd', resource: 'services', name, subresource: 'proxy' };
  expect(objectPath(proxied)).toBe(path);
  // Names of roles have colons of their own.
  const role = {
    ...ask,
    group: 'rbac.authorization.k8s.io',
    namespace: undefined,
    resource: 'clusterroles',
    name: 'a:b',
  };
  expect(objectPath(role)).toBe('/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Ab');
});

describe('LIST-7: a name without a cluster', () => {
  it('is the one member’s that has it, asked as the user for the object itself', async () => {
    const { result, upstreams } = search({ m1: 404, m2: 200, m3: 403 });
    expect(await result).toEqual({ cluster: 'm2', warnings: [] });
    expect(upstreams.get('m1')?.calls[0]).toMatchObject({
      path: '/apis/apps/v1/namespaces/default/deployments/web',
      headers: { 'impersonate-user': 'alice' },
    });
  });

  it('is not found where nobody has it; a member that refuses counts as not having it', async () => {
    await expect(search({ m1: 404, m2: 403 }).result).rejects.toMatchObject({
      code: 404,
      message: 'deployments.apps "web" not found',
    });
  });

  it('is a conflict where several have it, and the message names each', async () => {
    await expect(search({ m1: 200, m2: 200, m3: 404 }).result).rejects.toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'deployments "web" is in several clusters: use "web.clusterspace.m1", "web.clusterspace.m2"',
    });
  });

  it.each([500, 401, 0])(
    'a read found in another member is answered with a warning about a silent member (%s)',
    async (code) => {
      expect(await search({ m1: code, m2: 200 }).result).toEqual({
        cluster: 'm2',
        warnings: ['cluster "m1" was not looked in: it did not answer'],
      });
    },
  );

  it('a read found nowhere is 503 while a member is silent, naming it', async () => {
    await expect(search({ m1: 0, m2: 404 }).result).rejects.toMatchObject({ code: 503, message: /may be in "m1"/ });
  });

  it.each([
    ['DELETE', undefined],
    ['PATCH', undefined],
    ['POST', 'exec'],
    ['GET', 'exec'],
    ['GET', 'portforward'],
  ])('%s %s is 503 while a member is silent, though another has it', async (method, subresource) => {
    const { result } = search({ m1: 0, m2: 200 }, { method, ask: { ...ask, subresource } });
    await expect(result).rejects.toMatchObject({ code: 503 });
  });

  it('IMP-5: a member that must not know the user counts as not having it, as long as others may', async () => {
    expect(await search({ m1: -1, m2: 200 }).result).toEqual({ cluster: 'm2', warnings: [] });
    await expect(search({ m1: -1, m2: 404 }).result).rejects.toMatchObject({ code: 404 });
  });

  it('IMP-5: a user without identity in members is refused, not silently unlucky', async () => {
    await expect(search({ m1: -1, m2: -1 }).result).rejects.toMatchObject({ code: 403 });
  });

  it('ERR-4: what every member calls a bad request is one; what another knows is that one’s', async () => {
    await expect(search({ m1: 400, m2: 400 }).result).rejects.toMatchObject({ code: 400 });
    await expect(search({ m1: 400, m2: 404 }).result).rejects.toMatchObject({ code: 404 });
    expect(await search({ m1: 400, m2: 200 }).result).toEqual({ cluster: 'm2', warnings: [] });
  });

  it('SEC-2: a fault without end is no answer', async () => {
    const { body, write, aborted } = openBody(1_000);
    write('x'.repeat(2_000));
    const { result } = search({ m1: 400, m2: 200 }, {}, { m1: () => ({ status: 400, headers: {}, body }) });
    await aborted;
    expect(await result).toMatchObject({ cluster: 'm2' });
  });

  it('URL-8: nothing in a request can make another path of it', () => {
    expect(objectPath({ ...ask, group: 'a b', version: 'v?1', resource: 'x?y=', name: 'z/..' })).toBe(
      '/apis/a%20b/v%3F1/namespaces/default/x%3Fy%3D/z%2F..',
    );
  });

  it('knows the path of every kind of object', () => {
    expect(objectPath({ ...ask, group: '', resource: 'pods', name: 'a:b' })).toBe(
      '/api/v1/namespaces/default/pods/a%3Ab',
    );
    expect(objectPath({ ...ask, group: '', resource: 'namespaces', namespace: 'x', name: 'x' })).toBe(
      '/api/v1/namespaces/x',
    );
    expect(objectPath({ ...ask, namespace: undefined, resource: 'x', group: 'g.io' })).toBe('/apis/g.io/v1/x/web');
  });
});

describe('CACHE-8: what the cache knows is not asked of members', () => {
  const { signal } = new AbortController();
  const knowing = (known: Record<string, boolean | undefined>) => ({
    knownAt: (cluster: string) => ({ isThere: async () => known[cluster], wasThere: async () => false }),
    signal,
  });
  const asked = (upstreams: ReadonlyMap<string, FakeUpstream>) =>
    [...upstreams].filter(([, { calls }]) => calls.length > 0).map(([name]) => name);

  it('one has it, the others do not: nobody is asked', async () => {
    const { result, upstreams } = search({ a: 404, b: 404 }, knowing({ a: false, b: true }));
    expect(await result).toEqual({ cluster: 'b', warnings: [] });
    expect(asked(upstreams)).toEqual([]);
  });

  it('a member of which it is not known is asked, and counts', async () => {
    const { result, upstreams } = search({ a: 200, b: 404, c: 404 }, knowing({ b: true, c: false }));
    await expect(result).rejects.toMatchObject({ code: 409, message: expect.stringContaining('web.clusterspace.a') });
    expect(asked(upstreams)).toEqual(['a']);
  });

  it('LIST-7: where nobody has it all are asked, as it may be newer than the cache', async () => {
    const { result, upstreams } = search({ a: 404, b: 200 }, knowing({ a: false, b: false }));
    expect(await result).toEqual({ cluster: 'b', warnings: [] });
    expect(asked(upstreams)).toEqual(['a', 'b']);
  });

  it.each(['GET', 'DELETE'])('LIST-7: %s: an unreachable member is not taken for one that lacks it', async (method) => {
    const { result } = search({ a: 0, b: 404 }, { ...knowing({ b: true }), method });
    if (method === 'GET')
      expect(await result).toMatchObject({ cluster: 'b', warnings: [expect.stringContaining('"a"')] });
    else await expect(result).rejects.toMatchObject({ code: 503, message: expect.stringContaining('"a"') });
  });

  it('CACHE-12: what an unreachable member had counts where it can be shown', async () => {
    const wasAt = async (cluster: string) => cluster === 'a';
    const alone = search({ a: 0, b: 404 }, { ...knowing({ b: false }), wasAt });
    expect(await alone.result).toEqual({ cluster: 'a', warnings: [] });
    const several = search({ a: 0, b: 404 }, { ...knowing({ b: true }), wasAt });
    await expect(several.result).rejects.toMatchObject({ code: 409 });
  });
});
