import { EventEmitter } from 'node:events';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Discovery } from '../discovery/discovery.ts';
import type { Cluster } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { FakeUpstream, replyOf, silence } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { followRegistries } from './follow.ts';
import { registriesPath } from './resource-registry.ts';

const pods = { group: '', version: 'v1', resource: 'pods', namespace: undefined };
const resources = (...names: string[]) =>
  names.map((name) => ({
    resource: `${name.toLowerCase()}s`,
    responseKind: { kind: name },
    scope: 'Namespaced',
    verbs: ['list'],
  }));

/** Serves these kinds of the core group. */
const serving = (...kinds: string[]) =>
  new FakeUpstream(({ path }) => {
    const versions = [{ version: 'v1', resources: resources(...kinds) }];
    const items = path === '/api' ? [{ metadata: { name: '' }, versions }] : [];
    return replyOf(200, path.startsWith('/api') ? { kind: 'APIGroupDiscoveryList', items } : { paths: {} });
  });

async function follow(upstreams: Record<string, FakeUpstream>, patience?: number) {
  const { log } = silentLog();
  const plane = new FakeControlPlane();
  const spec = { resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod' }] };
  plane.put(registriesPath, { metadata: { name: 'r' }, spec } as never);
  const clusters = new Map<string, Cluster>(
    Object.keys(upstreams).map((name) => [name, { metadata: { name, uid: name }, spec: { syncMode: 'Push' } }]),
  );
  const events = new EventEmitter();
  const members = {
    events,
    allClusters: () => clusters.values(),
    uidInView: (name: string) => clusters.get(name)?.metadata.uid,
  } as unknown as MemberRegistry;
  const discovery = new Discovery(() => Object.entries(upstreams).map(([name, upstream]) => ({ name, upstream })), log);
  const registries = await followRegistries(new KubeClient(plane.upstream), members, discovery, log, patience);
  onTestFinished(() => registries[Symbol.asyncDispose]());
  return { registries, discovery, clusters, events };
}

describe('CACHE-4: what is registered', () => {
  it('is known when the server starts', async () => {
    const { registries } = await follow({ m1: serving('Pod'), m2: serving('Secret') });
    expect([...registries.clustersOf(pods)]).toEqual(['m1']);
  });

  it('CACHE-3: follows what members serve, and which there are', async () => {
    const m2 = serving('Secret');
    const { registries, discovery, clusters, events } = await follow({ m1: serving('Pod'), m2 });
    m2.answer = serving('Secret', 'Pod').answer;
    vi.setSystemTime(Date.now() + 60_000);
    onTestFinished(() => void vi.useRealTimers());
    await discovery.union();
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m1', 'm2']));
    clusters.delete('m1');
    events.emit('gone', 'm1');
    await vi.waitFor(() => expect([...registries.clustersOf(pods)]).toEqual(['m2']));
  });

  it('LIST-4: a start does not wait for a member that hangs, which is missed then', async () => {
    const { registries } = await follow({ m1: serving('Pod'), m2: new FakeUpstream(silence) }, 50);
    expect([...registries.clustersOf(pods)]).toEqual(['m1', 'm2']);
  });
});
