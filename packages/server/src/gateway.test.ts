import { Readable } from 'node:stream';
import { tooManyRequests, unauthorized } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { User } from './authn/user.ts';
import { createAuthorizer } from './authz/authorize.ts';
import { createGateway, type GatewayParts } from './gateway.ts';
import { type Incoming, jsonReply, type PlainReply } from './http/message.ts';
import { ByteBudget } from './merge/byte-budget.ts';
import { PageTokens } from './merge/page-token.ts';
import type { Source } from './merge/source.ts';
import { readTargetBody } from './target/body-reading.ts';
import { bodyText } from './testing/body-text.ts';
import { sourceOf } from './testing/fake-source.ts';
import { FakeUpstream, replyOf } from './testing/fake-upstream.ts';
import { incomingOf, stripAt } from './testing/targets.ts';
import { SharedWatches } from './watch/shared-watches.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'elsewhere' };
const pods = (name: string) => ({
  text: JSON.stringify({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: [{ metadata: { name } }],
  }),
});
const missing = async () => ({ is: 'missing', reason: 'cannot be reached' }) as const;
const absent = async () => ({ is: 'absent' }) as const;
const away: Source = { cluster: 'm2', list: missing, watch: missing };

function gateway(more: Partial<GatewayParts> = {}) {
  const upstream = new FakeUpstream(() => replyOf(200, { kind: 'Pod' }));
  const asked: string[] = [];
  const reviews = { may: async () => true };
  const handle = createGateway({
    authenticator: { authenticate: async () => alice },
    reviews,
    authorizer: createAuthorizer(reviews, () => ['m1', 'm2']),
    isCluster: () => true,
    routeTo: (cluster, { user }) => ({
      cluster,
      ready: true,
      upstream,
      identity: { 'impersonate-user': user.name },
      strip: stripAt(cluster),
    }),
    bodies: { read: async (parsed, raw) => readTargetBody(parsed, raw) },
    sourceOf: (cluster) => {
      asked.push(cluster);
      return sourceOf(cluster, pods('x'));
    },
    answerHere: async ({ target }) => jsonReply(200, target.wire.path),
    watches: new SharedWatches(() => {}),
    kindOf: async () => ({ kind: 'Pod', apiVersion: 'v1' }),
    serves: async () => false,
    partialLists: 'tables',
    listBudget: new ByteBudget(1024),
    pageTokens: new PageTokens(Buffer.alloc(32)),
    onMissing: () => {},
    onCaller: () => {},
    onTarget: () => {},
    admit: () => {},
    ...more,
  });
  const ask = async (method: string, url: string, headers: Incoming['headers'] = {}, body?: Readable) =>
    (await handle(incomingOf(method, url, { headers, body }))) as PlainReply;
  return { ask, upstream, asked };
}

async function itemsOf(reply: PlainReply): Promise<string[]> {
  return JSON.parse(await bodyText(reply)).items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

describe('the way of one request', () => {
  it('URL-1: a list goes everywhere, a suffixed name to its member, health stays here', async () => {
    const { ask, upstream } = gateway();
    expect(await itemsOf(await ask('GET', '/api/v1/pods'))).toEqual(['x.clusterspace.m1', 'x.clusterspace.m2']);
    await ask('GET', '/api/v1/namespaces/d/pods/x.clusterspace.m1');
    expect(upstream.calls[0]).toMatchObject({
      path: '/api/v1/namespaces/d/pods/x',
      headers: { 'impersonate-user': 'alice' },
    });
    expect(String((await ask('GET', '/healthz')).body)).toBe('"/healthz"\n');
  });

  it('IMP-2: the impersonated user is the one that members see', async () => {
    const { ask, upstream } = gateway();
    await ask('GET', '/clusterspaces/m1/api/v1/pods', { 'impersonate-user': 'bob' });
    expect(upstream.calls[0]?.headers['impersonate-user']).toBe('bob');
  });

  it('who is nobody reaches nobody', async () => {
    const { ask, upstream, asked } = gateway({ authenticator: { authenticate: () => Promise.reject(unauthorized()) } });
    await expect(ask('GET', '/api/v1/pods')).rejects.toMatchObject({ code: 401 });
    await expect(ask('GET', '/clusterspaces/m1/api')).rejects.toMatchObject({ code: 401 });
    expect([...upstream.calls, ...asked]).toEqual([]);
  });

  it('AUTHZ-2: without a right no member is asked', async () => {
    const authorizer = createAuthorizer({ may: async () => false }, () => ['m1']);
    const { ask, upstream, asked } = gateway({ authorizer });
    await expect(ask('GET', '/api/v1/pods')).rejects.toMatchObject({ code: 403 });
    await expect(ask('DELETE', '/clusterspaces/m1/api/v1/namespaces/d')).rejects.toMatchObject({ code: 403 });
    expect([...upstream.calls, ...asked]).toEqual([]);
  });

  it('LIMIT-1: nothing is read of the body of one too many', async () => {
    const body = Readable.from([Buffer.from('{"metadata":{"name":"x.clusterspace.m1"}}')]);
    const told: string[] = [];
    const { ask } = gateway({
      onTarget: (_, { place }) => void told.push(place.at),
      admit: () => {
        throw tooManyRequests();
      },
    });
    const create = () => ask('POST', '/api/v1/namespaces/d/pods', {}, body);
    await expect(create()).rejects.toMatchObject({ code: 429 });
    expect(body.readableDidRead).toBe(false);
    // The log still says what was asked.
    expect(told).toEqual(['in-body']);
  });

  it.each([
    ['tables', table, '', 200],
    ['tables', 'application/json', '', 503],
    ['tables', table, '?partial=false', 503],
    ['tables', 'application/json', '?partial=true', 200],
    ['always', 'application/json', '', 200],
    ['never', table, '', 503],
  ] as const)('LIST-4: --partial-lists %s, %s, %j: %i', async (partialLists, accept, query, code) => {
    const list = { columnDefinitions: [], rows: [] };
    const here =
      accept === table
        ? { text: JSON.stringify({ kind: 'Table', metadata: { resourceVersion: '1' }, ...list }) }
        : pods('x');
    const { ask } = gateway({
      partialLists,
      sourceOf: (cluster) => (cluster === 'm2' ? away : sourceOf(cluster, here)),
    });
    const answered = ask('GET', `/api/v1/pods${query}`, { accept });
    if (code === 503) await expect(answered).rejects.toMatchObject({ code });
    else expect((await answered).headers['warning']).toHaveLength(1);
  });

  const oneObject = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

  it.each(['application/cbor', oneObject])('LIST-9: 406 where a list cannot have the form %s', async (accept) => {
    await expect(gateway().ask('GET', '/api/v1/pods', { accept })).rejects.toMatchObject({ code: 406 });
  });

  it.each(['application/cbor', oneObject])('LIST-2: what nobody serves is 404, not 406 for %s', async (accept) => {
    const { ask } = gateway({ sourceOf: (cluster) => ({ cluster, list: absent, watch: missing }) });
    await expect(ask('GET', '/api/v1/nosuches', { accept })).rejects.toMatchObject({ code: 404 });
  });

  it('URL-12: deletecollection over many clusters is 405 and says why', async () => {
    await expect(gateway().ask('DELETE', '/api/v1/namespaces/d/pods')).rejects.toMatchObject({
      code: 405,
      message: expect.stringContaining('/clusterspaces/{cluster}'),
    });
  });

  it.each([
    ['kubectl apply', '/api/v1/namespaces/d/configmaps?labelSelector=a', 405],
    ['kubectl apply', '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy/api/v1/namespaces', 405],
    ['kubectl diff', '/api/v1/namespaces', 405],
    ['kubectl get', '/api/v1/namespaces', 200],
    ['kubectl apply', '/api/v1/namespaces/d/configmaps?labelSelector=a,clusterspace%3Dm1', 200],
    ['kubectl apply', '/api/v1/namespaces/d.clusterspace.m1/configmaps?labelSelector=a', 200],
    ['kubectl apply', '/clusterspaces/m1/api/v1/namespaces', 200],
    ['kubectl apply', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 200],
  ])('URL-12: %s that lists %s to prune by it: %i', async (command, url, code) => {
    const answered = gateway().ask('GET', url, { 'kubectl-command': command });
    if (code === 200) expect(await answered).toMatchObject({ status: 200 });
    else await expect(answered).rejects.toMatchObject({ code, message: expect.stringContaining('pruning over many') });
  });

  it('LIST-7: a name that several members have is a conflict that says how to name each', async () => {
    await expect(gateway().ask('GET', '/api/v1/namespaces/d/pods/x')).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('x.clusterspace.'),
    });
  });
});
