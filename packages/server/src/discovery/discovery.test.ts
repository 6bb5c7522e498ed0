import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeUpstream, openBody, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { answerDiscovery } from './answer.ts';
import { Discovery, type DiscoveryPlace, type MergedView } from './discovery.ts';

const document = (...groups: string[]) => ({
  kind: 'APIGroupDiscoveryList',
  items: groups.map((name) => ({ metadata: { name }, versions: [{ version: 'v1', resources: [] }] })),
});

const serving = (...groups: string[]) =>
  new FakeUpstream(({ path }) => {
    if (path === '/version') return replyOf(200, { gitVersion: 'v1.36.3' });
    if (path === '/openapi/v3') return replyOf(200, { paths: {} });
    return replyOf(200, path === '/api' ? document('') : document(...groups));
  });

/** Lists `apis`, and is else as others. */
const listing = (apis: string | object) => {
  const { answer } = serving();
  return new FakeUpstream((call) => (call.path === '/apis' ? replyOf(200, apis) : answer(call)));
};

/** As kube-apiserver does: a tag for each answer, 304 for who has it. */
const withTags = (upstream: FakeUpstream) => {
  const { answer } = upstream;
  upstream.answer = async (call) => {
    const reply = await answer(call);
    const bytes = await reply.body.bytes();
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    return call.headers['if-none-match'] === etag
      ? replyOf(304, '', { etag })
      : replyOf(200, bytes.toString(), { etag });
  };
  return upstream;
};

const groupsOf = async (discovery: Discovery) =>
  (await discovery.union()).groups.items.map(({ metadata }) => metadata.name);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

const withResource = (name: string, more: object) => ({
  kind: 'APIGroupDiscoveryList',
  items: [{ metadata: { name }, versions: [{ version: 'v1', resources: [{ resource: 'x', verbs: [], ...more }] }] }],
});
/** Text cannot be made of it. */
const unwritable = { toString: 1, valueOf: 1 };

const wrong: [string, unknown][] = [
  ['nothing', null],
  ['a text', 'items'],
  ['no items', { kind: 'APIGroupDiscoveryList' }],
  ['items that are none', { kind: 'APIGroupDiscoveryList', items: [null] }],
  ['a group without metadata', { kind: 'APIGroupDiscoveryList', items: [{}] }],
  ['versions that are a text', { kind: 'APIGroupDiscoveryList', items: [{ metadata: {}, versions: 'v1' }] }],
  [
    'a resource without verbs',
    {
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: {}, versions: [{ version: 'v1', resources: [{ resource: 'x' }] }] }],
    },
  ],
  ['a kind that is no text', withResource('a', { responseKind: { kind: ['Pod'] } })],
  ['a group of a kind that is no text', withResource('a', { responseKind: { kind: 'X', group: 1 } })],
  ['a scope that is no text', withResource('a', { scope: unwritable })],
  ['a singular that is no text', withResource('a', { singularResource: {} })],
  [
    'a kind of a subresource that is no text',
    withResource('a', { subresources: [{ subresource: 's', verbs: [], responseKind: { kind: 1 } }] }),
  ],
];

describe('SEC-2: a member that makes things up', () => {
  it.each(wrong)('%s: the others are shown', async (_, made) => {
    const liar = listing(JSON.stringify(made));
    const places = [
      { name: 'm1', upstream: liar },
      { name: 'm2', upstream: serving('b') },
    ];
    expect(await groupsOf(new Discovery(() => places, silentLog().log))).toEqual(['b']);
  });

  it.each([
    ['kind', { responseKind: { kind: unwritable } }],
    ['scope', { scope: unwritable }],
  ])('a %s that no text can be made of: what others serve under the same name is shown', async (_, made) => {
    const honest = { responseKind: { kind: 'X' }, scope: 'Namespaced' };
    const places = [made, honest].map((one, index) => ({
      name: `m${index}`,
      upstream: listing(withResource('b', one)),
    }));
    expect(await groupsOf(new Discovery(() => places, silentLog().log))).toEqual(['b']);
  });

  it('what a server may leave out is none of it', async () => {
    const upstream = listing(withResource('b', { responseKind: null, subresources: null }));
    expect(await groupsOf(new Discovery(() => [{ name: 'm1', upstream }], silentLog().log))).toEqual(['b']);
  });

  /** Serves `groups` with the tags of what `honest` serves. */
  const underTagsOf = (honest: FakeUpstream, ...groups: string[]) => {
    const { answer } = serving(...groups);
    return new FakeUpstream(async (call) => {
      const { etag } = (await honest.answer({ ...call, headers: {} })).headers;
      const { status, body } = await answer(call);
      return replyOf(status, String(await body.bytes()), { etag: String(etag) });
    });
  };

  it('a tag counts for the place that gave it: another one under it does not hide what a member serves', async () => {
    const honest = withTags(serving('b'));
    const places = [{ name: 'm1', upstream: underTagsOf(honest) }];
    const discovery = new Discovery(() => places, silentLog().log);
    expect(await groupsOf(discovery)).toEqual([]);
    places.push({ name: 'm2', upstream: honest });
    expect(await groupsOf(discovery)).toEqual(['b']);
  });

  it('nor does one that was at the same name before', async () => {
    const honest = withTags(serving('b'));
    const places = [{ name: 'm1', upstream: underTagsOf(honest) }];
    const discovery = new Discovery(() => places, silentLog().log);
    expect(await groupsOf(discovery)).toEqual([]);
    places[0] = { name: 'm1', upstream: honest };
    await vi.waitFor(async () => expect(await groupsOf(discovery)).toEqual(['b']));
  });

  it('a document without end is dropped, and the others are shown', async () => {
    const aborted: Promise<Error>[] = [];
    const liar = new FakeUpstream(() => {
      const { body, write, aborted: given } = openBody();
      aborted.push(given);
      for (let i = 0; i < 17; i++) write('x'.repeat(1024 * 1024));
      return { status: 200, headers: {}, body };
    });
    const places = [
      { name: 'm1', upstream: liar },
      { name: 'm2', upstream: serving('b') },
    ];
    expect(await groupsOf(new Discovery(() => places, silentLog().log))).toEqual(['b']);
    await Promise.all(aborted);
    expect(aborted.length).toBeGreaterThanOrEqual(4);
  });
});

describe('DISC-3: discovery is cached per place', () => {
  it('read once, and again when it is old, without making anybody wait', async () => {
    const upstream = serving('a');
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    await Promise.all([groupsOf(discovery), groupsOf(discovery)]);
    expect(await groupsOf(discovery)).toEqual(['a']);
    expect(upstream.paths.sort()).toEqual(['GET /api', 'GET /apis', 'GET /openapi/v3', 'GET /version']);
    later(60_001);
    upstream.answer = serving('b').answer;
    expect(await groupsOf(discovery)).toEqual(['a']);
    await vi.waitFor(async () => expect(await groupsOf(discovery)).toEqual(['b']));
    expect(upstream.calls).toHaveLength(8);
  });

  it('once it has ended nobody is watched, whoever leaves then', async () => {
    const upstream = new FakeUpstream(silence);
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    const fresh = discovery.keepFresh();
    fresh[Symbol.dispose]();
    upstream.calls.length = 0;
    fresh.look();
    expect(upstream.calls).toEqual([]);
  });

  it('a place that goes away is shown as it was', async () => {
    const upstream = serving('a');
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    await discovery.union();
    upstream.answer = silence;
    later(3_600_000);
    expect(await groupsOf(discovery)).toEqual(['a']);
  });

  it('one that fails at first costs the others nothing and is asked again later', async () => {
    const upstream = new FakeUpstream(() => statusReply(503, 'ServiceUnavailable', 'away'));
    const discovery = new Discovery(
      () => [
        { name: 'm1', upstream },
        { name: 'm2', upstream: serving('b') },
      ],
      silentLog().log,
    );
    expect(await groupsOf(discovery)).toEqual(['b']);
    const asked = upstream.calls.length;
    expect(await groupsOf(discovery)).toEqual(['b']);
    expect(upstream.calls).toHaveLength(asked);
    upstream.answer = serving('a').answer;
    later(6_000);
    expect(await groupsOf(discovery)).toEqual(['a', 'b']);
  });

  it('places that were read in the same moment are read again each at its own time, within half a minute', async () => {
    const upstreams = [serving('a'), serving('b'), serving('c')];
    const drawn = [0, 0.5, 1];
    const discovery = new Discovery(
      () => upstreams.map((upstream, index) => ({ name: `m${index}`, upstream })),
      silentLog().log,
      () => drawn.shift() ?? 1,
    );
    await groupsOf(discovery);
    const readAgain = async () => {
      const before = upstreams.map(({ calls }) => calls.length);
      await groupsOf(discovery);
      await vi.waitFor(() => expect(upstreams.some(({ calls }, at) => calls.length > before[at]!)).toBe(true));
      return upstreams.flatMap(({ calls }, at) => (calls.length > before[at]! ? [`m${at}`] : []));
    };
    later(15_001);
    expect(await readAgain()).toEqual(['m0']);
    later(7_500);
    expect(await readAgain()).toEqual(['m1']);
    later(7_500);
    expect(await readAgain()).toEqual(['m2']);
  });

  it('a place that left is no longer shown; one with a new connection is read anew', async () => {
    const places = [
      { name: 'm1', upstream: serving('a') },
      { name: 'm2', upstream: serving('b') },
    ];
    const discovery = new Discovery(() => places, silentLog().log);
    expect(await groupsOf(discovery)).toEqual(['a', 'b']);
    places.splice(1, 1);
    places[0] = { name: 'm1', upstream: serving('c') };
    expect(await groupsOf(discovery)).toEqual(['a']);
    await vi.waitFor(async () => expect(await groupsOf(discovery)).toEqual(['c']));
  });

  it('what has not changed is not sent again, and the union stays the same object', async () => {
    const upstream = withTags(serving('a'));
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    const before = await discovery.union();
    later(60_001);
    await discovery.union();
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(8));
    expect(upstream.calls.filter(({ headers }) => headers['if-none-match'])).toHaveLength(3);
    expect(await discovery.union()).toBe(before);
  });

  it('equal documents of clusters are held once', async () => {
    const places = ['m1', 'm2', 'm3'].map((name) => ({ name, upstream: withTags(serving('a')) }));
    const discovery = new Discovery(() => places, silentLog().log);
    await discovery.apisOf('m1');
    const all = await Promise.all(places.map(({ name }) => discovery.apisOf(name)));
    const [first, ...others] = all.map((apis) => (apis.is === 'known' ? apis.groups : undefined));
    for (const groups of others) expect(groups).toBe(first);
  });

  it('a place that does not let us read its OpenAPI or version is served all the same', async () => {
    const upstream = serving('a');
    const { answer } = upstream;
    upstream.answer = (call) => (call.path.startsWith('/api') ? answer(call) : statusReply(403, 'Forbidden', 'no'));
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    expect(await groupsOf(discovery)).toEqual(['a']);
    expect(await discovery.contributors('fleet')).toEqual([]);
    expect(await discovery.oldestMember()).toBeUndefined();
  });

  it('DISC-2: precedence is the control plane, the newest version, the name', async () => {
    const at = (name: string, gitVersion: string) => {
      const upstream = serving('a');
      const { answer } = upstream;
      upstream.answer = (call) => (call.path === '/version' ? replyOf(200, { gitVersion }) : answer(call));
      return { name, upstream };
    };
    const places = [
      at('b', 'v1.34.4'),
      at('d', 'v1.36.3+k3s1'),
      at('c', 'v1.36.10'),
      { ...at('karmada', 'v1.30.0'), owns: () => true },
      at('a', 'v1.34.4'),
    ];
    const discovery = new Discovery(() => places, silentLog().log);
    const names = async (view: MergedView) => (await discovery.contributors(view)).map(({ name }) => name);
    expect(await names('fleet')).toEqual(['karmada', 'c', 'd', 'a', 'b']);
    expect(await names('members')).toEqual(['c', 'd', 'a', 'b']);
    expect(await discovery.oldestMember()).toEqual({ gitVersion: 'v1.34.4' });
  });

  it('DISC-2: a control plane whose schemas are without prose stands behind those that explain', async () => {
    const names = async (lease: object) => {
      const upstream = serving('a');
      const { answer } = upstream;
      const document = { components: { schemas: { 'io.k8s.api.coordination.v1.Lease': lease } } };
      upstream.answer = (call) =>
        call.path === '/openapi/v3/apis/coordination.k8s.io/v1' ? replyOf(200, document) : answer(call);
      const places = [
        { name: 'karmada', upstream, owns: () => true },
        { name: 'm1', upstream: serving('a') },
      ];
      const discovery = new Discovery(() => places, silentLog().log);
      return (await discovery.contributors('fleet')).map(({ name }) => name);
    };
    expect(await names({ type: 'object' })).toEqual(['m1', 'karmada']);
    expect(await names({ type: 'object', description: 'Lease defines a lease concept.' })).toEqual(['karmada', 'm1']);
  });

  it('DISC-1: the control plane shows its own kinds only', async () => {
    const place = {
      name: 'karmada',
      upstream: serving('apps', 'cluster.karmada.io'),
      owns: (name: string) => name === 'cluster.karmada.io',
    };
    const bare = new FakeUpstream(() => replyOf(200, { ...document(), paths: {} }));
    const discovery = new Discovery(() => [place, { name: 'm1', upstream: bare }], silentLog().log);
    expect(await groupsOf(discovery)).toEqual(['cluster.karmada.io']);
    expect((await discovery.union()).core.items).toEqual([]);
  });

  it('DISC-1: with federation on, all of its kinds are shown beside those of members, who decide which version is preferred', async () => {
    const owns = (name: string) => name === 'cluster.karmada.io';
    const karmada = serving('apps', 'cluster.karmada.io', 'gadgets.example');
    const place = { name: 'karmada', upstream: karmada, owns, isShownWhole: true };
    const versions = ['v2', 'v1'].map((version) => ({ version, resources: [] }));
    const newer = { ...document(), items: [{ metadata: { name: 'apps' }, versions }] };
    const members = ['m1', 'm2'].map((name) => ({ name, upstream: listing(newer) }));
    const discovery = new Discovery(() => [place, ...members], silentLog().log);
    expect((await groupsOf(discovery)).toSorted()).toEqual(['apps', 'cluster.karmada.io', 'gadgets.example']);
    const { core, groups } = await discovery.union();
    expect(core.items.length).toBeGreaterThan(0);
    const apps = groups.items.find(({ metadata }) => metadata.name === 'apps');
    expect(apps?.versions?.map(({ version }) => version)).toEqual(['v2', 'v1']);
    expect(await discovery.union()).toBe(await discovery.union());
    expect(await discovery.apisOf('karmada')).toMatchObject({ is: 'known', groups: { items: { length: 3 } } });
    expect((await discovery.union('members')).groups.items.map(({ metadata }) => metadata.name)).toEqual(['apps']);
  });

  it('LIST-2: with no member it shows all of them, so that kubectl finds nothing rather than no such kind', async () => {
    const owns = (name: string) => name === 'cluster.karmada.io';
    const karmada = { name: 'karmada', upstream: withTags(serving('apps', 'cluster.karmada.io')), owns };
    const places: DiscoveryPlace[] = [karmada];
    const discovery = new Discovery(() => places, silentLog().log);
    expect(await groupsOf(discovery)).toEqual(['apps', 'cluster.karmada.io']);
    expect((await discovery.union()).core.items).toHaveLength(1);
    expect(await discovery.union()).toBe(await discovery.union());
    expect((await discovery.union('members')).groups.items).toEqual([]);
    places.push({ name: 'away', upstream: new FakeUpstream(() => statusReply(503, 'ServiceUnavailable', 'away')) });
    expect(await groupsOf(discovery)).toEqual(['apps', 'cluster.karmada.io']);
    places.push({ name: 'm1', upstream: serving('batch') });
    expect(await groupsOf(discovery)).toEqual(['cluster.karmada.io', 'batch']);
  });
});

describe('answering discovery', () => {
  const discovery = new Discovery(() => [{ name: 'm1', upstream: serving('apps') }], silentLog().log);
  const ask = async (path: string, headers = {}) => answerDiscovery(discovery, 'fleet', path, headers);
  const bodyOf = async (path: string, headers = {}) => JSON.parse(String((await ask(path, headers))?.body));
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

  it('every path in the older form', async () => {
    expect(await bodyOf('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect(await bodyOf('/api/v1')).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(await bodyOf('/apis')).toMatchObject({ kind: 'APIGroupList', groups: [{ name: 'apps' }] });
    expect(await bodyOf('/apis/apps')).toMatchObject({ kind: 'APIGroup', name: 'apps' });
    expect(await bodyOf('/apis/apps/v1')).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
  });

  it('the aggregated form at /api and /apis', async () => {
    expect((await ask('/apis', { accept }))?.headers['content-type']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    expect(await bodyOf('/apis', { accept })).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    });
  });

  it('DISC-3: an ETag, and 304 for who has it', async () => {
    const etag = (await ask('/apis', { accept }))?.headers['etag'];
    expect(etag).toMatch(/^"[0-9A-F]{64}"$/);
    expect(await ask('/apis', { accept, 'if-none-match': etag })).toMatchObject({ status: 304, body: undefined });
    expect(await ask('/apis', { 'if-none-match': etag })).toMatchObject({ status: 200 });
  });

  it('unknown groups and versions are 404, other paths are not discovery', async () => {
    for (const path of ['/api/v2', '/apis/none', '/apis/apps/v9'])
      await expect(ask(path)).rejects.toMatchObject({ code: 404 });
    expect(await ask('/healthz')).toBeUndefined();
  });
});

describe('SEC-2: the discovery of one place is bounded', () => {
  const padded = (value: object, size: number) => `${JSON.stringify(value)}${' '.repeat(size)}`;
  const MiB = 1024 * 1024;

  it.each([
    ['/api', padded(document(''), 4 * MiB)],
    ['/apis', padded(document('apps'), 4 * MiB)],
    ['/openapi/v3', padded({ paths: {} }, MiB)],
    ['/version', padded({ gitVersion: 'v1.36.3' }, 64 * 1024)],
  ])('an answer to %s that is larger than any cluster’s is no answer', async (path, text) => {
    const upstream = serving('apps');
    const { answer } = upstream;
    upstream.answer = (call) => (call.path === path ? replyOf(200, text) : answer(call));
    const { log, lines } = silentLog();
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], log);
    expect(await discovery.apisOf('m1')).toEqual({ is: 'unknown' });
    expect(lines).toMatchObject([{ msg: 'discovery failed' }]);
  });

  it('versions and resources may be null, which is none', async () => {
    const upstream = serving();
    const { answer } = upstream;
    const items = [
      { metadata: { name: 'a' }, versions: null },
      { metadata: { name: 'b' }, versions: [{ version: 'v1', resources: null }] },
    ];
    upstream.answer = (call) =>
      call.path === '/apis' ? replyOf(200, { kind: 'APIGroupDiscoveryList', items }) : answer(call);
    const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
    expect(await discovery.apisOf('m1')).toMatchObject({ is: 'known', stale: [] });
    expect(await groupsOf(discovery)).toEqual(['a', 'b']);
  });
});
