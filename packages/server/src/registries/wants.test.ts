import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Served } from '../discovery/discovery.ts';
import { mostNamespaced, mostResources } from './bounded.ts';
import type { ResourceRegistry, ResourceSelector } from './resource-registry.ts';
import { sameWants } from './same-wants.ts';
import { cluster, feeds, pods, registry, resource, served, usual, withWidgets } from './testing/registered-fleet.ts';
import { feedsOf, feedsOfRegistry, wantsOf, wantsOfRegistry } from './wants.ts';

describe('CACHE-1: what registries want', () => {
  it.each<[string, ResourceSelector[], string[]]>([
    ['a kind', [pods], ['m1 /v1 pods Pod *']],
    ['a kind of a group', [{ apiVersion: 'apps/v1', kind: 'Deployment' }], ['m1 apps/v1 deployments Deployment *']],
    ['every kind that can be listed', [{ apiVersion: 'v1', kind: '*' }], ['m1 /v1 pods Pod *', 'm1 /v1 nodes Node *']],
    ['a namespace', [{ ...pods, namespace: 'a' }], ['m1 /v1 pods Pod a']],
    [
      'several namespaces',
      [
        { ...pods, namespace: 'b' },
        { ...pods, namespace: 'a' },
      ],
      ['m1 /v1 pods Pod a,b'],
    ],
    ['a namespace and all', [{ ...pods, namespace: 'a' }, pods], ['m1 /v1 pods Pod *']],
    ['an empty namespace', [{ ...pods, namespace: '' }], ['m1 /v1 pods Pod *']],
    ['a namespace of what has none', [{ apiVersion: 'v1', kind: 'Node', namespace: 'a' }], ['m1 /v1 nodes Node *']],
    ['just the version it names', [{ apiVersion: 'apps/v1beta1', kind: 'Deployment' }], []],
    ['a namespace that is no name (SEC-4)', [{ ...pods, namespace: 'a/../b' }], []],
    ['an apiVersion that is none (SEC-4)', [{ ...pods, apiVersion: 'v1/..' }], []],
    ['what cannot be listed', [{ apiVersion: 'v1', kind: 'Binding' }], []],
    ['a kind by its resource', [{ apiVersion: 'v1', kind: 'pods' }], []],
  ])('%s', (_, selectors, selected) => expect(feeds([registry(selectors)], [cluster('m1')])).toEqual(selected));

  it('several registries add up: clusters, kinds, namespaces', () => {
    const all = [
      registry([{ ...pods, namespace: 'a' }]),
      registry([{ ...pods, namespace: 'b' }], { targetCluster: { clusterNames: ['m2'] } }),
      registry([{ apiVersion: 'v1', kind: 'Node' }], { targetCluster: { exclude: ['m1'] } }),
    ];
    expect(feeds(all, [cluster('m1'), cluster('m2')])).toEqual([
      'm1 /v1 pods Pod a',
      'm2 /v1 pods Pod a,b',
      'm2 /v1 nodes Node *',
    ]);
  });

  it('two that disagree on prune: not pruned; on authorization: Member (IMP-8)', () => {
    const pruned = registry([pods], { prune: ['managedFields'], authorization: 'ControlPlane' });
    const [one] = feedsOf(wantsOf([pruned, pruned], [cluster('m1')]));
    expect(one).toMatchObject({ prunesManagedFields: true, authorization: 'ControlPlane' });
    const [other] = feedsOf(wantsOf([pruned, registry([pods])], [cluster('m1')]));
    expect(other).toMatchObject({ prunesManagedFields: false, authorization: 'Member' });
  });

  it('where Karmada serves the kind, fields that it drops are annotations', () => {
    const annotations = { 'search.fleet/authorization': 'ControlPlane', 'search.fleet/prune': 'managedFields' };
    const annotated = { ...registry([pods]), metadata: { name: 'r', annotations } };
    const [one] = feedsOf(wantsOf([annotated], [cluster('m1')]));
    expect(one).toMatchObject({ prunesManagedFields: true, authorization: 'ControlPlane' });
  });

  it('the control plane’s own groups are never a member’s', () => {
    const own = served({ 'cluster.karmada.io/v1alpha1': [resource('clusters', 'Cluster')] });
    const all = [registry([{ apiVersion: 'cluster.karmada.io/v1alpha1', kind: '*' }])];
    expect(feeds(all, [cluster('m1', own)])).toEqual([]);
  });

  it('a registry without a spec, or with nulls as Go writes them, wants nothing', () => {
    const empty = [{ metadata: { name: 'r' } }, registry([], { resourceSelectors: null, targetCluster: null })];
    expect(feeds(empty, [cluster('m1')])).toEqual([]);
  });
});

describe('CACHE-3: kinds are resolved in each member’s own discovery', () => {
  const widgets = [registry([{ apiVersion: 'example.dev/v1', kind: 'Widget' }])];

  it('a member that lacks it is skipped, and picked up when it appears', () => {
    const selected = (of: Served) => feeds(widgets, [cluster('m1', withWidgets), cluster('m2', of)]);
    expect(selected(usual)).toEqual(['m1 example.dev/v1 widgets Widget *']);
    expect(selected(withWidgets)).toHaveLength(2);
  });

  it('LIST-4: one that was never read is taken to serve what others do, so that it is missed', () => {
    const unread = { ...cluster('m2'), served: undefined };
    expect(feeds(widgets, [cluster('m1'), unread, cluster('m3', withWidgets)])).toEqual([
      'm2 example.dev/v1 widgets Widget *',
      'm3 example.dev/v1 widgets Widget *',
    ]);
    expect(feeds(widgets, [unread], withWidgets)).toEqual(['m2 example.dev/v1 widgets Widget *']);
    expect(feeds(widgets, [cluster('m1'), unread], usual)).toEqual([]);
  });
});

it('LIST-4: what a member does not know of an API server behind it is taken from the others', () => {
  const version = (freshness: string, resources: ResourceDiscovery[]): Served => ({
    core: { items: [] },
    groups: { items: [{ metadata: { name: 'm.io' }, versions: [{ version: 'v1', resources, freshness }] }] },
  });
  const all = [registry([{ apiVersion: 'm.io/v1', kind: 'Metric' }])];
  const union = version('Current', [resource('metrics', 'Metric')]);
  expect(feeds(all, [cluster('m1', version('Stale', []))], union)).toEqual(['m1 m.io/v1 metrics Metric *']);
  expect(feeds(all, [cluster('m1', version('Current', []))], union)).toEqual([]);
});

it('wants are the same if they want the same, however they came about', () => {
  const of = (selectors: ResourceSelector[], names = ['m1', 'm2']) =>
    wantsOf(
      [registry(selectors)],
      names.map((name) => cluster(name, { ...usual })),
      usual,
    );
  const [a, b] = ['a', 'b'].map((namespace) => ({ ...pods, namespace }));
  expect(sameWants(of([a!, b!]), of([b!, a!]))).toBe(true);
  expect(sameWants(of([a!, b!]), of([a!]))).toBe(false);
  expect(sameWants(of([pods]), of([pods], ['m1', 'm3']))).toBe(false);
  expect(sameWants(of([pods]), of([pods], ['m1']))).toBe(false);
});

it('clusters that serve the same documents share what is selected of them', () => {
  const alike = { core: usual.core, groups: usual.groups };
  const wants = wantsOf([registry([pods])], [cluster('m1'), cluster('m2', alike), cluster('m3', withWidgets)]);
  expect(wants.get('m1')).toBe(wants.get('m2'));
  expect(wants.get('m1')).not.toBe(wants.get('m3'));
});

describe('against a naive model', () => {
  const kinds = ['Pod', 'Node', 'Widget', '*'];
  const selectors = fc.record({
    apiVersion: fc.constantFrom('v1', 'apps/v1', 'example.dev/v1'),
    kind: fc.constantFrom(...kinds),
    namespace: fc.constantFrom('', 'a', 'b', 'constructor'),
  });
  const registries = fc.array(
    fc.record({
      selectors: fc.array(selectors, { maxLength: 4 }),
      names: fc.subarray(['m1', 'm2', 'm3']),
      exclude: fc.subarray(['m1', 'm2', 'm3']),
    }),
    { maxLength: 4 },
  );
  const [one, other] = [usual, withWidgets];

  it('each resource of each member is selected in just the namespaces that some registry names', () => {
    fc.assert(
      fc.property(registries, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (specs, which) => {
        const clusters = ['m1', 'm2', 'm3'].map((name, index) => cluster(name, which[index] ? one : other));
        const all = specs.map(({ selectors: of, names, exclude }) =>
          registry(of, { targetCluster: { clusterNames: names, exclude } }),
        );
        const naive: string[] = [];
        for (const { name, served: of } of clusters) {
          for (const { metadata, versions = [] } of [...of!.core.items, ...of!.groups.items]) {
            for (const { version, resources = [] } of versions) {
              for (const { resource: plural, responseKind, scope, verbs } of resources) {
                const group = metadata.name ?? '';
                const matching = specs
                  .filter(
                    ({ names, exclude }) => (names.length === 0 || names.includes(name)) && !exclude.includes(name),
                  )
                  .flatMap(({ selectors: some }) => some)
                  .filter(({ apiVersion }) => apiVersion === (group ? `${group}/${version}` : version))
                  .filter(({ kind }) => kind === '*' || kind === responseKind?.kind);
                if (matching.length === 0 || !verbs.includes('list')) continue;
                const isAll = scope === 'Cluster' || matching.some(({ namespace }) => namespace === '');
                const named = [...new Set(matching.map(({ namespace }) => namespace))].sort().join();
                naive.push(`${name} ${group}/${version} ${plural} ${responseKind?.kind} ${isAll ? '*' : named}`);
              }
            }
          }
        }
        expect(feeds(all, clusters).sort()).toEqual(naive.sort());
      }),
      { numRuns: 300 },
    );
  });
});

describe('CACHE-2: what one registry wants by itself', () => {
  const widgets: ResourceSelector = { apiVersion: 'example.dev/v1', kind: 'Widget' };
  const everyPod = registry([pods]);

  it('of each cluster that it means, by name, with what the cluster lacks', () => {
    const gadgets: ResourceSelector = { apiVersion: 'example.dev/v2', kind: 'Gadget' };
    const one = registry([pods, widgets, gadgets], { targetCluster: { exclude: ['m0'] } });
    const stale = {
      core: usual.core,
      groups: {
        items: [
          {
            metadata: { name: 'example.dev' },
            versions: [{ version: 'v1', freshness: 'Stale' as const, resources: [] }],
          },
        ],
      },
    };
    const clusters = [
      cluster('m4', stale),
      { ...cluster('m3'), served: undefined },
      cluster('m2', withWidgets),
      cluster('m1'),
      cluster('m0'),
    ];
    const kinds = (selectors: readonly ResourceSelector[]) => selectors.map(({ kind }) => kind);
    const described = [...wantsOfRegistry(one, clusters)].map(([name, { resources, notServed, unknown }]) => [
      name,
      [...resources.keys()],
      kinds(notServed),
      kinds(unknown),
    ]);
    const both = ['/v1/pods', 'example.dev/v1/widgets'];
    expect(described).toEqual([
      ['m1', ['/v1/pods'], ['Widget', 'Gadget'], []],
      ['m2', both, ['Gadget'], []],
      ['m3', both, [], ['Gadget']],
      ['m4', both, ['Gadget'], []],
    ]);
  });

  it('is found in the cache where all registries together have it', () => {
    const narrow = registry([
      { ...pods, namespace: 'a' },
      { ...pods, namespace: 'b' },
    ]);
    const other = registry([{ ...pods, namespace: 'c' }]);
    const namespacesOf = (...registries: ResourceRegistry[]) => {
      const clusters = [cluster('m1')];
      const own = wantsOfRegistry(narrow, clusters, usual).get('m1')!;
      const all = wantsOf(registries, clusters, usual).get('m1');
      return [...feedsOfRegistry('m1', own, all)].map(({ namespace }) => namespace);
    };
    expect(namespacesOf(narrow)).toEqual(['a', 'b']);
    expect(namespacesOf(narrow, other)).toEqual(['a', 'b']);
    expect(namespacesOf(narrow, everyPod)).toEqual([undefined]);
  });

  it('SEC-2: has so many resources of a cluster at most, and counts the others', () => {
    const many = Array.from({ length: mostResources + 3 }, (_, index) => `things${index}`);
    const resources = many.map((resource) => ({
      resource,
      responseKind: { group: 'example.dev', version: 'v1', kind: `Thing${resource}` },
      scope: 'Cluster' as const,
      verbs: ['list', 'watch'],
    }));
    const items = [{ metadata: { name: 'example.dev' }, versions: [{ version: 'v1', resources }] }];
    const served = { core: { items: [] }, groups: { items } };
    const every = registry([{ apiVersion: 'example.dev/v1', kind: '*' }]);
    const own = wantsOfRegistry(every, [cluster('m1', served as unknown as typeof usual)]).get('m1')!;
    expect([own.resources.size, own.omitted]).toEqual([mostResources, 3]);
    expect(wantsOfRegistry(everyPod, [cluster('m1')]).get('m1')!.omitted).toBe(0);
  });

  const inNamespaces = (count: number, ...more: ResourceSelector[]) =>
    registry([...Array.from({ length: count }, (_, index) => ({ ...pods, namespace: `n${index}` })), ...more]);

  it('SEC-2, CACHE-2: each namespace of a resource counts, as it has a feed of its own', () => {
    const { resources, omitted } = wantsOfRegistry(inNamespaces(mostNamespaced + 3), [cluster('m1')]).get('m1')!;
    expect([resources.get('/v1/pods')!.namespaces!.size, omitted]).toEqual([mostNamespaced, 3]);
    const whole = wantsOfRegistry(inNamespaces(mostNamespaced + 3, pods), [cluster('m1')]).get('m1')!;
    expect([whole.resources.get('/v1/pods')!.namespaces, whole.omitted]).toEqual([undefined, 0]);
  });

  it('SEC-3: the cost of a registry is linear in its namespaces', () => {
    const micros = (count: number) => {
      const many = inNamespaces(count);
      const begun = process.cpuUsage();
      wantsOf([many], [cluster('m1')]);
      return process.cpuUsage(begun).user;
    };
    micros(4_000);
    const [less, more] = [micros(4_000), micros(32_000)];
    // Quadratic, it would be 64 times as much.
    expect(more / less).toBeLessThan(32);
  });
});
