/** Registered resources on simulated clusters: answers from the cache are those of the members (CACHE-17). */

import { type KubeConfig, Watch } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { watchFromList } from './src/cached-watching.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from './src/fleet.ts';
import { type Answer, requestAs } from './src/request.ts';

const members = ['member1', 'member2', 'member3'];
const settled = { timeout: 30_000, interval: 50 };
const maps = '/api/v1/namespaces/shop/configmaps';

/** Lets the product read what it caches, as `fleet join --cache-kinds` does. */
async function grantCache({ members }: SimulatedFleet): Promise<void> {
  for (const { client } of members.values()) {
    await client.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'cache' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] }],
    });
    await client.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'cache' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cache' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'fleet-system', name: 'fleet-control' }],
    });
  }
}

const register = ({ controlPlane }: SimulatedFleet, kinds: readonly { apiVersion: string; kind: string }[]) =>
  controlPlane.create('/apis/search.karmada.io/v1alpha1/resourceregistries', {
    apiVersion: 'search.karmada.io/v1alpha1',
    kind: 'ResourceRegistry',
    metadata: { name: 'all' },
    spec: { targetCluster: {}, resourceSelectors: kinds },
  });

async function startScene(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members, ...options });
  await grantCache(fleet);
  for (const { client } of fleet.members.values()) {
    await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
    for (let index = 0; index < 30; index++) {
      const labels = { part: index % 3 === 0 ? 'a' : 'b' };
      await client.create(maps, { metadata: { name: `map-${index}`, labels }, data: { index: String(index) } });
    }
  }
  await register(fleet, [
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'apps/v1', kind: 'Deployment' },
  ]);
  return fleet;
}

let fleet: SimulatedFleet;
let admin: KubeConfig;
beforeAll(async () => {
  fleet = await startScene();
  admin = await fleet.config();
  await vi.waitFor(async () => expect(await cachedAnswers(maps)).toBe(3), settled);
});
afterAll(() => fleet[Symbol.asyncDispose]());

/** How many members' parts of an answer came from the cache. */
async function cachedAnswers(path: string, headers: Record<string, string> = {}): Promise<number> {
  const before = await counted();
  const { status } = await requestAs(admin, path, headers);
  expect(status).toBe(200);
  return (await counted()) - before;
}

async function counted(): Promise<number> {
  const text = await metrics();
  const lines = text.split('\n').filter((line) => /^fleet_cache_answers_total\{.*by="cached"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function metrics(): Promise<string> {
  const { body } = await requestAs(admin, '/metrics', {}, true);
  return body as string;
}

interface Watched {
  type: string;
  object: { metadata: { name: string; resourceVersion: string }; data?: Record<string, string> };
}

async function watching(config: KubeConfig, path: string, query: Record<string, string>) {
  const events: Watched[] = [];
  const onEvent = (type: string, object: Watched['object']) => void events.push({ type, object });
  const controller = await new Watch(config).watch(path, query, onEvent, () => {});
  return { events, [Symbol.asyncDispose]: async () => controller.abort() };
}

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const partial = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

const live = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  requestAs(admin, `${path}${path.includes('?') ? '&' : '?'}consistent=true`, headers);

/** Their versions move with bookmarks. */
const withoutVersion = ({ status, body }: Answer) => {
  const { metadata, ...list } = body as { metadata: { resourceVersion?: string } };
  return { status, list, metadata: { ...metadata, resourceVersion: undefined, continue: undefined } };
};

describe('CACHE-17: a registered resource is answered as the members do', () => {
  it.each([
    ['all namespaces', '/api/v1/configmaps', {}],
    ['one namespace', maps, {}],
    ['a label selector', `${maps}?labelSelector=part%3Da`, {}],
    ['a field selector', `${maps}?fieldSelector=metadata.namespace%3Dshop`, {}],
    ['a Table', maps, table],
    ['a Table with objects', `${maps}?includeObject=Object`, table],
    ['a Table without objects', `${maps}?includeObject=None`, table],
    ['metadata', maps, partial],
    ['a page', `${maps}?limit=7`, {}],
    ['a Table page', `${maps}?limit=7`, table],
    ['version 0', `${maps}?resourceVersion=0`, {}],
    ['plain names', `/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy${maps}`, {}],
    ['the aggregation endpoint', `/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy${maps}`, {}],
    ['no object at all', '/apis/apps/v1/namespaces/shop/deployments', {}],
  ])('%s', async (_, path, headers) => {
    expect(await cachedAnswers(path, headers)).toBeGreaterThan(0);
    const compare = async () => {
      const [cached, answered] = [await requestAs(admin, path, headers), await live(path, headers)];
      expect(withoutVersion(cached)).toEqual(withoutVersion(answered));
    };
    // Between the two a second may pass, which the cells of a Table show (CACHE-13).
    await (headers === table ? vi.waitFor(compare, { timeout: 5_000, interval: 10 }) : compare());
  });

  it('WATCH-1: a watch from a list of the cache has what happens since, also in and out of a selection', async () => {
    const { body } = await requestAs(admin, `${maps}?labelSelector=part%3Da&resourceVersion=0`);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const before = await counted();
    await using watch = await watching(admin, maps, { labelSelector: 'part=a', resourceVersion });
    // The members' streams begin behind the head of the answer.
    await vi.waitFor(async () => expect(await counted()).toBe(before + members.length), settled);
    const { client } = fleet.members.get('member2')!;
    const labelled = (part: string) => ({ metadata: { name: 'moving', labels: { part } } });
    const made = await client.create<{ metadata: { resourceVersion: string } }>(maps, labelled('b'));
    await client.replace(`${maps}/moving`, labelled('a'));
    await client.replace(`${maps}/moving`, { ...labelled('a'), data: { a: 'b' } });
    await client.replace(`${maps}/moving`, labelled('c'));
    await client.delete(`${maps}/moving`);
    await vi.waitFor(() => expect(watch.events.length).toBeGreaterThanOrEqual(3), settled);
    expect(watch.events.map(({ type, object }) => [type, object.metadata.name, object.data])).toEqual([
      ['ADDED', 'moving.clusterspace.member2', undefined],
      ['MODIFIED', 'moving.clusterspace.member2', { a: 'b' }],
      ['DELETED', 'moving.clusterspace.member2', { a: 'b' }],
    ]);
    for (const { object } of watch.events)
      expect(BigInt(object.metadata.resourceVersion)).toBeGreaterThan(BigInt(made.metadata.resourceVersion));
  });

  it('PAGE-2: pages go on at the version of the first, whatever is written meanwhile', async () => {
    const names: string[] = [];
    let token = '';
    let pages = 0;
    do {
      const { status, body } = await requestAs(admin, `${maps}?limit=20${token && `&continue=${token}`}`);
      expect(status).toBe(200);
      const page = body as { metadata: { continue?: string }; items: { metadata: { name: string } }[] };
      names.push(...page.items.map(({ metadata }) => metadata.name));
      if (pages++ === 0) await fleet.members.get('member3')!.client.delete(`${maps}/map-29`);
      token = page.metadata.continue ?? '';
    } while (token);
    expect(names).toContain('map-29.clusterspace.member3');
    expect(new Set(names).size).toBe(names.length);
  });

  it('CACHE-7: own writes are read', async () => {
    const path = '/api/v1/namespaces/shop/configmaps';
    for (let index = 0; index < 20; index++) {
      const name = `own-${index}.clusterspace.member1`;
      const made = await requestAs(admin, path, {}, false, { metadata: { name }, data: {} });
      expect(made.status).toBe(201);
      const { body } = await requestAs(admin, `${path}?labelSelector=!part`);
      const { items } = body as { items: { metadata: { name: string } }[] };
      expect(items.map(({ metadata }) => metadata.name)).toContain(name);
    }
  });

  it('IMP-3: a user sees what the members allow, and no more once it is revoked', async () => {
    const alice = await fleet.config({ name: 'alice' });
    await fleet.controlPlane.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: ['cluster.karmada.io'], resources: ['clusterspaces'], verbs: ['*'] }],
    });
    await fleet.controlPlane.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    });
    const seen = async () => {
      const { status, body } = await requestAs(alice, maps);
      if (status !== 200) return status;
      const { items } = body as { items: { metadata: { name: string } }[] };
      return [...new Set(items.map(({ metadata }) => metadata.name.split('.clusterspace.')[1]))];
    };
    await vi.waitFor(async () => expect(await seen()).toBe(403), settled);
    const { client } = fleet.members.get('member2')!;
    await client.create('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles', {
      metadata: { name: 'maps' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await client.create('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings', {
      metadata: { name: 'alice' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maps' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    });
    await vi.waitFor(async () => expect(await seen()).toEqual(['member2']), settled);
    await client.delete('/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/alice');
    await vi.waitFor(async () => expect(await seen()).toBe(403), { timeout: 1_000, interval: 20 });
  });

  it('IMP-3: a Cluster that is led to another server is read from that one, by those whom it allows', async () => {
    await using open = await watchFromList(fleet, admin, 3);
    const moved = await fleet.add('member4');
    await moved.client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
    await moved.client.create(maps, { metadata: { name: 'of-moved' } });
    const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
    const secrets = '/api/v1/namespaces/karmada-cluster/secrets';
    const { controlPlane } = fleet;
    const { spec } = await controlPlane.get<{ spec: { apiEndpoint: string } }>(`${clusters}/member4`);
    for (const kind of ['', '-impersonator']) {
      const { data } = await controlPlane.get<{ data: object }>(`${secrets}/member4${kind}`);
      await controlPlane.patch(`${secrets}/member2${kind}?fieldManager=test`, 'merge', { data });
    }
    await controlPlane.patch(`${clusters}/member2?fieldManager=test`, 'merge', {
      spec: { apiEndpoint: spec.apiEndpoint },
    });
    await vi.waitFor(async () => {
      const { body } = await requestAs(admin, `${maps}?labelSelector=clusterspace%3Dmember2&partial=true`);
      const { items } = body as { items: { metadata: { name: string } }[] };
      const names = items.map(({ metadata }) => metadata.name);
      expect(names).toContain('of-moved.clusterspace.member2');
      expect(names).not.toContain('map-1.clusterspace.member2');
    }, settled);
    // WATCH-5: events would be missing, and objects left over.
    await vi.waitFor(() => expect(open.events.at(-1)).toBe('ERROR 410'), settled);
  });

  it('CACHE-12: an unreachable member is served as last known, with a warning; fresh=true reports it as missing', async () => {
    await fleet.members.get('member3')![Symbol.asyncDispose]();
    const stale = /^299 .*cluster \\?"member3\\?" cannot be reached/;
    await vi.waitFor(async () => {
      const { status, headers, body } = await requestAs(admin, maps);
      expect(status).toBe(200);
      expect(headers['warning']).toMatch(stale);
      const { items } = body as { items: { metadata: { name: string } }[] };
      expect(items.some(({ metadata }) => metadata.name === 'map-1.clusterspace.member3')).toBe(true);
    }, settled);
    expect((await requestAs(admin, `${maps}?fresh=true`)).status).toBe(503);
  });
});
