import { Readable } from 'node:stream';
import { notFound, tooManyRequests, unauthorized } from '@fleet/kube/status.ts';
import { describe, expect, it, vi } from 'vitest';
import type { User } from './authn/user.ts';
import type { AccessReviewer, Attributes } from './authz/access-review.ts';
import { createAuthorizer } from './authz/authorize.ts';
import { createBodyAuthorizer } from './authz/large-body.ts';
import { createGateway, type GatewayParts } from './gateway.ts';
import { type Incoming, jsonReply, type PlainReply } from './http/message.ts';
import { ByteBudget } from './merge/byte-budget.ts';
import { PageTokens } from './merge/page-token.ts';
import type { Source } from './merge/source.ts';
import { combineVersions } from './present/versions.ts';
import { readTargetBody } from './target/body-reading.ts';
import { bodyText } from './testing/body-text.ts';
import { sourceOf } from './testing/fake-source.ts';
import { FakeUpstream, replyOf } from './testing/fake-upstream.ts';
import { FakeWatched } from './testing/fake-watched.ts';
import { knownKinds } from './testing/known-kinds.ts';
import { incomingOf, stripAt } from './testing/targets.ts';
import { SharedWatches } from './watch/shared-watches.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };
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
const away: Source = { cluster: 'm2', list: missing, watch: missing, canWatch: missing, hasLost: async () => false };

function gateway(more: Partial<GatewayParts> = {}) {
  const upstream = new FakeUpstream(() => replyOf(200, { kind: 'Pod' }));
  const asked: string[] = [];
  const reviews = { isAllowed: async () => true };
  const handle = createGateway({
    authenticator: { authenticate: async () => alice },
    reviews,
    authorizer: createAuthorizer(reviews, () => ['m1', 'm2']),
    bodyAuthorizer: createBodyAuthorizer(reviews, () => ['m1', 'm2']),
    isCluster: () => true,
    routeTo: (cluster, { user }) => ({
      cluster,
      ready: true,
      upstream,
      identity: { 'impersonate-user': user.name },
      strip: stripAt(cluster),
      kinds: knownKinds,
    }),
    bodies: { read: async (parsed, raw) => readTargetBody(parsed, raw) },
    sourceOf: (cluster) => {
      asked.push(cluster);
      return sourceOf(cluster, pods('x'));
    },
    answerItself: async ({ target }) => jsonReply(200, target.wire.path),
    watches: new SharedWatches(() => {}),
    kindOf: async () => ({ kind: 'Pod', apiVersion: 'v1' }),
    kinds: knownKinds,
    serves: async () => false,
    serverOf: () => undefined,
    requireCluster: false,
    warned: async (_cluster, _target, reply) => reply,
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

describe('AUTHZ-2: open merged watches', () => {
  it('the last cluster revoked: no more than a refusal of everything, and past the memory of decisions', async () => {
    const member = new FakeWatched('m1', 10);
    let allowed = true;
    const isAllowed = vi.fn(async (..._: Parameters<AccessReviewer['isAllowed']>) => allowed);
    const authorizer = createAuthorizer({ isAllowed }, () => ['m1']);
    using watches = new SharedWatches(() => {});
    const { ask } = gateway({ authorizer, watches, sourceOf: () => member });
    const version = combineVersions(new Map([['m1', '10']]));
    const reply = await ask('GET', `/api/v1/pods?watch=true&resourceVersion=${version}`);
    allowed = false;
    watches.refresh();
    expect(JSON.parse(await bodyText(reply))).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    const [user, attributes, maxAge] = isAllowed.mock.calls.at(-1)!;
    expect([user, attributes]).toEqual([alice, { resource: expect.objectContaining({ verb: 'watch', name: 'm1' }) }]);
    expect(maxAge).toBeLessThan(4_000);
  });
});

describe('a member that is removed while a request over all of them is opened', () => {
  const scene = () => {
    const members = ['m1', 'm2'];
    const remove = () => void members.splice(1);
    const present = (cluster: string) => {
      if (!members.includes(cluster)) throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, cluster);
      return new FakeWatched(cluster, 10, ['x']);
    };
    return { members, remove, present };
  };

  it('WATCH-3: is not in the watch', async () => {
    const { members, remove, present } = scene();
    using watches = new SharedWatches(() => {});
    const { ask } = gateway({
      authorizer: createAuthorizer({ isAllowed: async () => true }, () => members),
      watches,
      sourceOf: present,
      kindOf: async () => {
        remove();
        return { kind: 'Pod', apiVersion: 'v1' };
      },
    });
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { body } = await ask('GET', `/api/v1/pods?${query}`);
    const lines = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    expect(JSON.parse(String((await lines.next()).value).split('\n')[0]!)).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'x.clusterspace.m1' } },
    });
    await lines.return?.();
  });

  it('LIST-2: is not in the list; by its name it is 404', async () => {
    const { members, remove, present } = scene();
    const isAllowed = async () => {
      remove();
      return true;
    };
    const { ask } = gateway({ authorizer: createAuthorizer({ isAllowed }, () => [...members]), sourceOf: present });
    expect(await itemsOf(await ask('GET', '/api/v1/pods'))).toEqual(['x.clusterspace.m1']);
    await expect(ask('GET', '/api/v1/pods?labelSelector=clusterspace%3Dm2')).rejects.toMatchObject({ code: 404 });
  });
});

describe('SEC-1: members show what was asked for', () => {
  const showing = (list: object) =>
    gateway({
      sourceOf: (cluster) => sourceOf(cluster, cluster === 'm1' ? pods('x') : { text: JSON.stringify(list) }),
    });
  const metadata = { resourceVersion: '1' };

  it('one that lists another kind is missing', async () => {
    const items = [{ metadata: { name: 'prod' } }];
    const { ask } = showing({ kind: 'NamespaceList', apiVersion: 'v1', metadata, items });
    const refused = { code: 503, message: expect.stringContaining('m2') };
    await expect(ask('GET', '/api/v1/pods')).rejects.toMatchObject(refused);
  });

  it('an item of another kind breaks the list off', async () => {
    const items = [{ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'prod' } }];
    const { ask } = showing({ kind: 'PodList', apiVersion: 'v1', metadata, items });
    await expect(ask('GET', '/api/v1/pods').then(bodyText)).rejects.toThrow();
  });

  it('an event of another kind ends the watch', async () => {
    const member = new FakeWatched('m1', 10);
    using watches = new SharedWatches(() => {});
    const { ask } = gateway({ watches, sourceOf: () => member });
    const version = combineVersions(new Map([['m1', '10']]));
    const query = `watch=true&resourceVersion=${version}&labelSelector=clusterspace%3Dm1`;
    const { body } = await ask('GET', `/api/v1/configmaps?${query}`);
    member.put('a-pod');
    const lines = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toMatchObject({ type: 'ERROR' });
    await lines.return?.();
  });
});

describe('RV-6: the aggregation endpoint, when a kind is no longer registered: what a merged read gave', () => {
  const maps = '/api/v1/namespaces/d/configmaps';
  const endpoint = `/apis/search.karmada.io/v1alpha1/proxying/proxy/proxy${maps}`;
  const version = combineVersions(new Map([['m1', '10']]));
  const page = new PageTokens(Buffer.alloc(32)).write(
    { versions: new Map([['m1', '10']]), left: [{ cluster: 'm1', items: 3 }] },
    'a list',
  );
  const own = Buffer.from('{"v":"meta.k8s.io/v1","rv":7,"start":"d/x"}').toString('base64url');
  const watchList = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

  it.each([
    ['a list', `?resourceVersion=${version}`, ''],
    ['a list not older', `?limit=5&resourceVersion=${version}&resourceVersionMatch=NotOlderThan`, '?limit=5'],
    ['a watch with initial events', `?${watchList}&resourceVersion=${version}`, `?${watchList}`],
    ['a get', `/x?resourceVersion=${version}`, '/x'],
    ['the next page of the control plane', `?continue=${own}`, `?continue=${own}`],
    ['a version of the control plane', '?watch=1&resourceVersion=7', '?watch=1&resourceVersion=7'],
    ['a version that nobody has', '?resourceVersion=x', '?resourceVersion=x'],
  ])('%s goes to the control plane without it', async (_, query, sent) => {
    const { ask, upstream } = gateway();
    await ask('GET', `${endpoint}${query}`);
    expect(upstream.calls.map(({ path }) => path)).toEqual([`${maps}${sent}`]);
  });

  it.each([
    ['a watch', `?watch=true&resourceVersion=${version}`],
    ['a watch of one object', `?watch=true&fieldSelector=metadata.name%3Dx&resourceVersion=${version}`],
    ['exactly that list', `?resourceVersion=${version}&resourceVersionMatch=Exact`],
    ['its next page', `?limit=5&continue=${page}`],
  ])('%s is 410, after which clients list again', async (_, query) => {
    const { ask, upstream } = gateway();
    await expect(ask('GET', `${endpoint}${query}`)).rejects.toMatchObject({ code: 410, reason: 'Expired' });
    expect(upstream.calls).toEqual([]);
  });

  it('a collection is not deleted at another version than was asked for', async () => {
    const { ask, upstream } = gateway();
    await ask('DELETE', `${endpoint}?resourceVersion=${version}`);
    expect(upstream.calls.map(({ path }) => path)).toEqual([`${maps}?resourceVersion=${version}`]);
  });
});

describe('NAME-5, NAME-6: with federation on', () => {
  const maps = '/api/v1/namespaces/d/configmaps';
  const federated = () => gateway({ templates: true });

  it('the control plane is one of the places of a list, and its objects have their own names', async () => {
    const { ask, asked } = federated();
    const list = await ask('GET', '/api/v1/pods');
    expect(await itemsOf(list)).toEqual(['x', 'x.clusterspace.m1', 'x.clusterspace.m2']);
    expect(asked).toEqual(['karmada', 'm1', 'm2']);
    const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
    expect(await itemsOf(await ask('GET', `${clusters}/*/proxy/api/v1/pods`))).toEqual(['x', 'x']);
  });

  it('what is named without a cluster goes there, a list by name, too', async () => {
    const { ask, upstream, asked } = federated();
    await ask('GET', `${maps}/x`);
    await ask('DELETE', `${maps}/x`);
    await ask('GET', `${maps}?fieldSelector=metadata.name%3Dx`);
    await ask('POST', maps, { 'content-length': '27' }, Readable.from([Buffer.from('{"metadata":{"name":"new"}}')]));
    expect(upstream.paths).toEqual([
      `GET ${maps}/x`,
      `DELETE ${maps}/x`,
      `GET ${maps}?fieldSelector=metadata.name%3Dx`,
      `POST ${maps}`,
    ]);
    expect(asked).toEqual([]);
  });

  it('RV-6: a watch by name resumes from a merged list where the template stood; a page of that list is no page of it', async () => {
    const { ask, upstream } = federated();
    const versions = new Map([
      ['karmada', '7'],
      ['m1', '10'],
    ]);
    const named = `${maps}?watch=true&fieldSelector=metadata.name%3Dx`;
    await ask('GET', `${named}&resourceVersion=${combineVersions(versions)}`);
    expect(upstream.paths).toEqual([`GET ${named}&resourceVersion=7`]);
    const others = combineVersions(new Map([['m1', '10']]));
    await expect(ask('GET', `${named}&resourceVersion=${others}`)).rejects.toMatchObject({ code: 410 });
    const left = [{ cluster: 'm1', items: 3 }];
    const page = new PageTokens(Buffer.alloc(32)).write({ versions, left }, 'a list');
    const next = ask('GET', `${maps}?limit=5&fieldSelector=metadata.name%3Dx&continue=${page}`);
    await expect(next).rejects.toMatchObject({ code: 410 });
  });
});

describe('one request through the gateway', () => {
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
    const authorizer = createAuthorizer({ isAllowed: async () => false }, () => ['m1']);
    const { ask, upstream, asked } = gateway({ authorizer });
    await expect(ask('GET', '/api/v1/pods')).rejects.toMatchObject({ code: 403 });
    await expect(ask('DELETE', '/clusterspaces/m1/api/v1/namespaces/d')).rejects.toMatchObject({ code: 403 });
    expect([...upstream.calls, ...asked]).toEqual([]);
  });

  describe('SEC-3: a body above 8 KiB', () => {
    const large = () =>
      Readable.from([Buffer.from(`{"metadata":{"name":"x.clusterspace.m1"},"a":"${'x'.repeat(9000)}"}`)]);
    const small = () => Readable.from([Buffer.from('{"metadata":{"name":"x.clusterspace.m1"}}')]);
    const granting = (isGranted: (text: string) => boolean) => {
      const isAllowed = async (_: User, attributes: Attributes) =>
        'resource' in attributes &&
        isGranted([attributes.resource.verb, attributes.resource.resource, attributes.resource.name].join(' '));
      const members = () => ['m1', 'm2'];
      return gateway({
        authorizer: createAuthorizer({ isAllowed }, members),
        bodyAuthorizer: createBodyAuthorizer({ isAllowed }, members),
      });
    };
    const json = { 'content-type': 'application/json' };
    const creates = [
      '/api/v1/namespaces/d/pods',
      '/clusterspaces/m1/api/v1/namespaces/d/pods',
      '/clusterspaces/karmada/api/v1/namespaces/d/pods',
    ];

    it.each(creates)('is not read for whom no place grants the verb: POST %s', async (url) => {
      const { ask } = granting(() => false);
      for (const length of ['9000', undefined, 'x']) {
        const body = large();
        const headers = length === undefined ? json : { ...json, 'content-length': length };
        await expect(ask('POST', url, headers, body)).rejects.toMatchObject({ code: 403 });
        expect(body.readableDidRead).toBe(false);
      }
    });

    it.each([
      ['*', 'create clusterspaces *'],
      ['one cluster', 'create clusterspaces m1'],
    ])('is read for whom it is granted on %s', async (_, right) => {
      const { ask, upstream } = granting((text) => text === right);
      expect((await ask('POST', creates[0]!, { ...json, 'content-length': '9050' }, large())).status).toBe(200);
      expect(upstream.calls).toHaveLength(1);
    });

    it('is not read for another verb, nor another cluster that the URL names', async () => {
      for (const right of ['get clusterspaces *', 'create clusterspaces m2']) {
        const body = large();
        const asked = granting((text) => text === right).ask('POST', creates[1]!, json, body);
        await expect(asked).rejects.toMatchObject({ code: 403 });
        expect(body.readableDidRead).toBe(false);
      }
    });

    it('to the control plane is read for whom that grants it', async () => {
      const { ask, upstream } = granting((text) => text === 'create pods ');
      const body = Readable.from([Buffer.from(`{"metadata":{"name":"x"},"a":"${'x'.repeat(9000)}"}`)]);
      expect((await ask('POST', creates[2]!, json, body)).status).toBe(200);
      expect(upstream.calls).toHaveLength(1);
    });

    it('a smaller one is read first: its content may be wrong otherwise', async () => {
      const body = small();
      const asked = granting(() => false).ask('POST', creates[0]!, { ...json, 'content-length': '41' }, body);
      await expect(asked).rejects.toMatchObject({ code: 403 });
      expect(body.readableDidRead).toBe(true);
    });
  });

  it('LIMIT-1: nothing is read of the body of one too many', async () => {
    const body = Readable.from([Buffer.from('{"metadata":{"name":"x.clusterspace.m1"}}')]);
    const targets: string[] = [];
    const { ask } = gateway({
      onTarget: (_, { place }) => void targets.push(place.at),
      admit: () => {
        throw tooManyRequests();
      },
    });
    const create = () => ask('POST', '/api/v1/namespaces/d/pods', {}, body);
    await expect(create()).rejects.toMatchObject({ code: 429 });
    expect(body.readableDidRead).toBe(false);
    // The log still has the request.
    expect(targets).toEqual(['in-body']);
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
    const { ask } = gateway({ sourceOf: (cluster) => ({ ...away, cluster, list: absent }) });
    await expect(ask('GET', '/api/v1/nosuches', { accept })).rejects.toMatchObject({ code: 404 });
  });

  describe('LIST-2: a fleet without clusters', () => {
    const none = { authorizer: createAuthorizer({ isAllowed: async () => true }, () => []) };
    const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

    it.each([
      ['application/json', { kind: 'PodList', apiVersion: 'v1', items: [] }],
      [table, { kind: 'Table', apiVersion: 'meta.k8s.io/v1', rows: [], columnDefinitions: expect.any(Array) }],
      [partial, { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', items: [] }],
    ])('has an empty list of a kind that is known, as %s', async (accept, expected) => {
      for (const url of [
        '/api/v1/pods',
        '/api/v1/namespaces/d/pods?limit=500',
        '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy/api/v1/pods',
        '/api/v1/pods?fieldSelector=metadata.name%3Dx',
      ]) {
        const reply = await gateway(none).ask('GET', url, { accept });
        expect(reply.status, url).toBe(200);
        expect(JSON.parse(await bodyText(reply)), url).toMatchObject({
          ...expected,
          metadata: { resourceVersion: 'e30' },
        });
      }
    });

    it('of a kind that nobody knows it is 404, and so is a named object', async () => {
      const unknown = { ...none, kindOf: async () => ({ kind: '', apiVersion: 'v1' }) };
      await expect(gateway(unknown).ask('GET', '/api/v1/nosuches')).rejects.toMatchObject({ code: 404 });
      await expect(gateway(unknown).ask('GET', '/api/v1/nosuches?watch=true')).rejects.toMatchObject({ code: 404 });
      await expect(gateway(none).ask('GET', '/api/v1/namespaces/d/pods/x')).rejects.toMatchObject({ code: 404 });
    });

    it('invalid parameters are reported all the same, and a page of clusters that are gone', async () => {
      const ask = (query: string) => gateway(none).ask('GET', `/api/v1/pods?${query}`);
      await expect(ask('resourceVersionMatch=Exact')).rejects.toMatchObject({ code: 422 });
      await expect(ask('limit=x')).rejects.toMatchObject({ code: 400 });
      await expect(ask('continue=forged')).rejects.toMatchObject({ code: 400 });
      const accept = 'application/cbor';
      await expect(gateway(none).ask('GET', '/api/v1/pods', { accept })).rejects.toMatchObject({ code: 406 });
    });

    it('can be watched', async () => {
      const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const { body } = await gateway(none).ask('GET', `/api/v1/pods?watch=true&${initial}`);
      for await (const line of body as AsyncIterable<Buffer>) {
        expect(JSON.parse(String(line))).toMatchObject({
          type: 'BOOKMARK',
          object: {
            kind: 'Pod',
            metadata: { resourceVersion: 'e30', annotations: { 'k8s.io/initial-events-end': 'true' } },
          },
        });
        break;
      }
      for (const query of ['', '&resourceVersion=e30', '&resourceVersion=0'])
        expect(await gateway(none).ask('GET', `/api/v1/pods?watch=true${query}`)).toMatchObject({ status: 200 });
    });
  });

  it('URL-12: deletecollection over many clusters is 405 with the reason', async () => {
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
    const text = '{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}';
    const lists: Partial<GatewayParts> = { sourceOf: (cluster) => sourceOf(cluster, { text }) };
    const answered = gateway(lists).ask('GET', url, { 'kubectl-command': command });
    if (code === 200) expect(await answered).toMatchObject({ status: 200 });
    else await expect(answered).rejects.toMatchObject({ code, message: expect.stringContaining('pruning over many') });
  });

  it('LIST-7: a name that several members have is a conflict whose message names each', async () => {
    await expect(gateway().ask('GET', '/api/v1/namespaces/d/pods/x')).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('x.clusterspace.'),
    });
  });
});
