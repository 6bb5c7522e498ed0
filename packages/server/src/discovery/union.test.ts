import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import { describe, expect, it } from 'vitest';
import { compareVersions, uniteDiscovery } from './union.ts';

const resource = (name: string, verbs = ['get'], subresources: string[] = []) => ({
  resource: name,
  scope: 'Namespaced' as const,
  singularResource: '',
  verbs,
  subresources: subresources.map((subresource) => ({ subresource, verbs: ['get'] })),
});

const group = (name: string, versions: Record<string, ReturnType<typeof resource>[]>) => ({
  metadata: { name },
  versions: Object.entries(versions).map(([version, resources]) => ({ version, resources })),
});

const shape = ({ items }: GroupDiscoveryList) =>
  items.map(({ metadata, versions = [] }) => [
    metadata.name,
    ...versions.map(({ version, resources = [] }) => `${version}: ${resources.map((one) => one.resource).join(' ')}`),
  ]);

/** How long the event loop did not turn, in milliseconds. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  await work();
  turn();
  clearImmediate(turning);
  return longest;
}

describe('DISC-1: the union', () => {
  it('a resource, version or group that any cluster serves is listed', async () => {
    const one = { items: [group('a', { v1: [resource('x')] })] };
    const other = {
      items: [group('a', { v1: [resource('y')], v2: [resource('x')] }), group('b', { v1: [resource('z')] })],
    };
    expect(shape(await uniteDiscovery([one, other]))).toEqual([
      ['a', 'v1: x y', 'v2: x'],
      ['b', 'v1: z'],
    ]);
  });

  it('the version that most prefer comes first', async () => {
    const preferring = (...versions: string[]) => ({
      items: [group('a', Object.fromEntries(versions.map((version) => [version, []])))],
    });
    const versionsOf = async (...documents: GroupDiscoveryList[]) =>
      (await uniteDiscovery(documents)).items[0]?.versions?.map(({ version }) => version);
    expect(await versionsOf(preferring('v1beta1', 'v1'), preferring('v1beta1'), preferring('v1'))).toEqual([
      'v1beta1',
      'v1',
    ]);
    expect(await versionsOf(preferring('v1beta1'), preferring('v1'))).toEqual(['v1', 'v1beta1']);
    // One document that several clusters share counts as often as it is shared.
    const shared = preferring('v1beta1');
    expect(await versionsOf(preferring('v1'), shared, shared)).toEqual(['v1beta1', 'v1']);
  });

  it('verbs and subresources of all clusters', async () => {
    const documents = [
      resource('x', ['get', 'list'], ['status']),
      resource('x', ['list', 'watch'], ['scale', 'status']),
    ];
    const united = await uniteDiscovery(documents.map((one) => ({ items: [group('a', { v1: [one] })] })));
    const [found] = united.items[0]!.versions![0]!.resources!;
    expect(found?.verbs).toEqual(['get', 'list', 'watch']);
    expect(found?.subresources?.map(({ subresource }) => subresource)).toEqual(['status', 'scale']);
  });

  it('SEC-2: what a resource is, most clusters decide: one with another description has no effect on the others', async () => {
    const pods = { ...resource('pods'), responseKind: { group: '', version: 'v1', kind: 'Pod' } };
    const others = { ...pods, responseKind: { group: '', version: 'v1', kind: 'Namespace' } };
    const wide = { ...pods, scope: 'Cluster' as const };
    const of = (...resources: object[]) => ({ items: [group('', { v1: resources as (typeof pods)[] })] });
    const united = async (...documents: GroupDiscoveryList[]) =>
      (await uniteDiscovery(documents)).items[0]!.versions![0]!.resources;
    for (const forged of [others, wide]) {
      expect(await united(of(forged, forged, forged), of(pods), of(pods))).toEqual([pods]);
      const shared = of(pods);
      expect(await united(of(forged), shared, shared)).toEqual([pods]);
      const versions = of(forged).items[0]!.versions;
      const [inVersions, inGroups] = [
        { ...of(forged).items[0]!, versions: [versions, versions, versions].flat() },
        of(forged).items,
      ];
      expect(await united({ items: [inVersions] }, of(pods), of(pods))).toEqual([pods]);
      expect(await united({ items: [inGroups, inGroups, inGroups].flat() }, of(pods), of(pods))).toEqual([pods]);
    }
    // Of two, the newer.
    expect(await united(of(others), of(pods))).toEqual([others]);
    // Of two, the one that agrees with the control plane.
    const union = await uniteDiscovery([of(others), of(pods)], { known: of(pods) });
    expect(union.items[0]!.versions![0]!.resources).toEqual([pods]);
    const own = of(others);
    const [ours] = (await uniteDiscovery([own, of(pods), of(pods)], { shown: own })).items[0]!.versions![0]!.resources!;
    expect(ours).toEqual(others);
  });

  it('SEC-3: one name that a member lists again and again does not hold the event loop', async () => {
    const resources = Array.from({ length: 40_000 }, (_, index) => resource('x', [`${index}`], [`${index}`]));
    const longest = await longestTurn(async () => {
      const { items } = await uniteDiscovery([{ items: [group('a', { v1: resources })] }]);
      expect(items[0]?.versions?.[0]?.resources).toMatchObject([{ verbs: { length: 40_000 } }]);
    });
    expect(longest).toBeLessThan(2_000);
  });

  it('a version that is stale wherever it is served is stale; one that somebody knows well is not', async () => {
    const served = (freshness?: string) => ({
      items: [
        {
          metadata: { name: 'metrics.k8s.io' },
          versions: [{ version: 'v1beta1', resources: [resource('pods')], ...(freshness ? { freshness } : {}) }],
        },
      ],
    });
    const freshnessOf = async (...documents: GroupDiscoveryList[]) =>
      (await uniteDiscovery(documents)).items[0]?.versions?.[0]?.freshness;
    expect(await freshnessOf(served('Stale'))).toBe('Stale');
    expect(await freshnessOf(served('Stale'), served('Stale'))).toBe('Stale');
    // Clients drop what is stale: one broken API in one cluster must not take it from all.
    expect(await freshnessOf(served('Stale'), served('Current'))).toBe('Current');
    expect(await freshnessOf(served())).toBe('Current');
  });

  it('no cluster at all is an empty document', async () => {
    expect(await uniteDiscovery([])).toEqual({ items: [] });
  });

  it('versions are ordered as Kubernetes orders them', () => {
    const ordered = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  });
});
