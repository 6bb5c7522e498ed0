import { KubeClient } from '@fleet/client/kube-client.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Served } from '../discovery/discovery.ts';
import type { Cluster } from '../members/cluster.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { silentLog } from '../testing/silent-log.ts';
import { ResourceRegistries } from './registries.ts';
import { type ResourceSelector, registriesPath } from './resource-registry.ts';

const servedKinds = (...kinds: string[]): Served => ({
  core: {
    items: [
      {
        metadata: {},
        versions: [
          {
            version: 'v1',
            resources: kinds.map((kind) => ({
              resource: `${kind.toLowerCase()}s`,
              responseKind: { kind },
              scope: 'Namespaced',
              singularResource: '',
              verbs: ['list'],
            })),
          },
        ],
      },
    ],
  },
  groups: { items: [] },
});

const cluster = (name: string, labels: Record<string, string> = {}): Cluster => ({
  metadata: { name, labels },
  spec: { syncMode: 'Push' },
});

async function scene() {
  const plane = new FakeControlPlane();
  const clusters = new Map([cluster('m1'), cluster('m2')].map((one) => [one.metadata.name, one]));
  const served = new Map<string, Served>(['m1', 'm2'].map((name) => [name, servedKinds('Pod', 'Secret')]));
  const registries = new ResourceRegistries({
    client: new KubeClient(plane.upstream),
    clusters: () => clusters.values(),
    servedBy: (name) => (name === 'karmada' ? servedKinds('Pod') : served.get(name)),
    log: silentLog().log,
  });
  onTestFinished(() => registries[Symbol.asyncDispose]());
  const register = (name: string, selectors: ResourceSelector[], more = {}) =>
    plane.put(registriesPath, { metadata: { name }, spec: { resourceSelectors: selectors, ...more } } as never);
  plane.put(registriesPath, { metadata: { name: 'first' } });
  await registries.synced;
  return { plane, registries, register, clusters, served };
}

const pods = { group: '', version: 'v1', resource: 'pods', namespace: undefined };
const pod: ResourceSelector = { apiVersion: 'v1', kind: 'Pod' };

describe('CACHE-4: changes take effect without a restart', () => {
  it('a registry is made, changed and deleted', async () => {
    const { registries, register, plane } = await scene();
    expect(registries.isRegistered(pods)).toBe(false);
    register('r', [pod]);
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m1', 'm2']));
    register('r', [pod], { targetCluster: { clusterNames: ['m2'] } });
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m2']));
    plane.remove(registriesPath, 'r');
    await vi.waitFor(() => expect(registries.isRegistered(pods)).toBe(false));
  });

  it('CACHE-2: a status that is written changes nothing of what is selected; an annotation may', async () => {
    const { plane, registries } = await scene();
    const registry = { metadata: { name: 'r', uid: 'u' }, spec: { resourceSelectors: [pod] } };
    plane.put(registriesPath, registry);
    await vi.waitFor(() => expect(registries.isRegistered(pods)).toBe(true));
    const changed = vi.fn();
    registries.events.on('changed', changed);
    const seen = (text: string) =>
      [...registries.each()].some(({ registry }) => JSON.stringify(registry).includes(text));
    plane.put(registriesPath, { ...registry, status: { summary: { progress: '1/2' } } } as never);
    await vi.waitFor(() => expect(seen('1/2')).toBe(true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(changed).not.toHaveBeenCalled();
    const annotations = { 'search.fleet/authorization': 'ControlPlane' };
    plane.put(registriesPath, { ...registry, metadata: { ...registry.metadata, annotations } });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  });

  it('a Cluster joins, leaves, or has other labels; its status changes nothing', async () => {
    const { registries, register, clusters } = await scene();
    register('r', [pod], { targetCluster: { labelSelector: { matchLabels: { tier: 'gold' } } } });
    const changed = vi.fn();
    const put = (one: Cluster) => {
      clusters.set(one.metadata.name, one);
      registries.seen(one);
    };
    put(cluster('m1'));
    await vi.waitFor(() => expect(registries.isEmpty).toBe(false));
    put(cluster('m3', { tier: 'gold' }));
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m3']));
    registries.events.on('changed', changed);
    put({ ...cluster('m3', { tier: 'gold' }), status: { kubernetesVersion: 'v1.36.0' } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(changed).not.toHaveBeenCalled();
    put(cluster('m1', { tier: 'gold' }));
    await vi.waitFor(() => expect([...registries.clustersOf(pods)].sort()).toEqual(['m1', 'm3']));
    clusters.delete('m3');
    registries.gone('m3');
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m1']));
  });

  it('CACHE-3: a kind appears in a member; one that was never read is taken to have it', async () => {
    const { registries, register, served } = await scene();
    served.set('m1', servedKinds('Secret'));
    served.delete('m2');
    register('r', [pod]);
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m2']));
    served.set('m1', servedKinds('Pod'));
    registries.plan();
    await vi.waitFor(() => expect([...registries.clustersOf(pods)].sort()).toEqual(['m1', 'm2']));
  });
});

describe('CACHE-7: namespaces', () => {
  it('a request in a namespace goes to the clusters where that is registered', async () => {
    const { registries, register } = await scene();
    register('r', [{ ...pod, namespace: 'a' }]);
    register('s', [{ ...pod, namespace: 'b' }], { targetCluster: { clusterNames: ['m2'] } });
    const where = (namespace: string | undefined) => [...registries.clustersOf({ ...pods, namespace })];
    await vi.waitFor(() => expect(where('b')).toEqual(['m2']));
    expect([where('a'), where('c'), where(undefined)]).toEqual([['m1', 'm2'], [], ['m1', 'm2']]);
    expect(registries.namespacesOf('m2', pods)).toEqual(new Set(['a', 'b']));
    expect(registries.narrowing(pods)).toBe('[["m1",["a"]],["m2",["a","b"]]]');
    register('t', [pod]);
    await vi.waitFor(() => expect(registries.narrowing(pods)).toBe(''));
    expect(registries.namespacesOf('m2', pods)).toBeUndefined();
  });
});
