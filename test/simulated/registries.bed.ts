/** The status of ResourceRegistries on simulated clusters: what is filled, and why the rest is not (CACHE-2). */

import { join } from 'node:path';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { run } from './src/product.ts';
import { core, deregister, register, widgets } from './src/registering.ts';

const path = '/apis/search.karmada.io/v1alpha1/resourceregistries';
const settled = { timeout: 45_000, interval: 100 };

interface Row {
  cluster: string;
  resource?: string;
  kind: string;
  synced: boolean;
  reason?: string;
  objects: number;
  bytes: number;
  lastEventTime?: string;
  lastError?: string;
}

interface Registry {
  metadata: { resourceVersion: string; generation: number };
  status?: {
    conditions: { type: string; status: string; reason: string; message: string; observedGeneration: number }[];
    summary: Record<string, number> & { progress: string };
    resources: Row[];
  };
}

async function grantCache({ product, folder }: SimulatedFleet, name: string, kinds: string): Promise<void> {
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  const { code, stderr } = await product.fleet('join', name, '--kubeconfig', kubeconfig, '--cache-kinds', kinds);
  expect(code, stderr).toBe(0);
}

async function fill(client: KubeClient, objects: number): Promise<void> {
  await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (let index = 0; index < objects; index++) {
    await client.create('/api/v1/namespaces/shop/configmaps', { metadata: { name: `map-${index}` }, data: { a: 'b' } });
  }
}

const read = ({ controlPlane }: SimulatedFleet, name: string) => controlPlane.get<Registry>(`${path}/${name}`);

const synced = ({ status }: Registry) => status?.conditions.find(({ type }) => type === 'Synced');

/** As `cluster resource reason`, of those that are not synced. */
const unwell = ({ status }: Registry) =>
  status?.resources.flatMap(({ cluster, resource, kind, synced, reason }) =>
    synced ? [] : [`${cluster} ${resource ?? kind} ${reason}`],
  );

async function until(fleet: SimulatedFleet, name: string, reason: string): Promise<Registry> {
  return vi.waitFor(async () => {
    const registry = await read(fleet, name);
    expect(synced(registry)?.reason, JSON.stringify(registry.status)).toBe(reason);
    return registry;
  }, settled);
}

describe('CACHE-2: the status of a registry', () => {
  let fleet: SimulatedFleet;
  const client = (name: string) => fleet.members.get(name)!.client;

  beforeAll(async () => {
    fleet = await startFleet({ members: ['member2', 'member3'] });
    // One that keeps its port and objects can be stopped and started again.
    await fleet.add('member1', { directory: join(fleet.folder, 'member1') });
    for (const { client } of fleet.members.values()) await fill(client, 5);
    await grantCache(fleet, 'member1', 'configmaps');
    await grantCache(fleet, 'member2', 'configmaps,widgets.example.dev');
    await register(fleet.controlPlane, 'maps', { resourceSelectors: core('ConfigMap') });
  });
  afterAll(() => fleet?.[Symbol.asyncDispose]());

  it('IMP-6: a member that does not grant it is named, with the command that does', async () => {
    const registry = await vi.waitFor(async () => {
      const registry = await until(fleet, 'maps', 'MissingGrants');
      expect(registry.status!.summary.progress).toBe('2/3');
      return registry;
    }, settled);
    expect(unwell(registry)).toEqual(['member3 configmaps MissingGrants']);
    expect(synced(registry)).toMatchObject({ status: 'False', observedGeneration: registry.metadata.generation });
    expect(synced(registry)!.message).toBe(
      '2 of 3 synced. Not granted: member3 configmaps. ' +
        '"fleet join member3 --kubeconfig FILE --cache-kinds configmaps" grants it.',
    );
    const row = registry.status!.resources.find(({ cluster }) => cluster === 'member3')!;
    expect(row).toMatchObject({ objects: 0, lastError: expect.stringContaining('configmaps is forbidden') });
  });

  it('is synced when that has been run, with counts and times', async () => {
    const { message } = synced(await read(fleet, 'maps'))!;
    const [, name, kinds] = /"fleet join (\S+) --kubeconfig FILE --cache-kinds (\S+)" grants it/.exec(message)!;
    await grantCache(fleet, name!, kinds!);
    const registry = await until(fleet, 'maps', 'AllSynced');
    expect(synced(registry)).toMatchObject({ status: 'True', message: '3 of 3 synced.' });
    const objects = await Promise.all(
      ['member1', 'member2', 'member3'].map(
        async (name) => (await client(name).list('/api/v1/configmaps')).items.length,
      ),
    );
    const sum = objects.reduce((a, b) => a + b);
    await vi.waitFor(async () => {
      const { summary, resources } = (await read(fleet, 'maps')).status!;
      expect(summary).toMatchObject({ clusters: 3, resources: 1, synced: 3, total: 3, progress: '3/3', objects: sum });
      expect(resources.map(({ objects }) => objects)).toEqual(objects);
      for (const { bytes, lastEventTime } of resources) {
        expect(bytes).toBeGreaterThan(0);
        expect(Date.now() - Date.parse(lastEventTime!)).toBeLessThan(120_000);
      }
    }, settled);
  });

  it('CACHE-3: a kind that no member has, then one of them, then all', async () => {
    await register(fleet.controlPlane, 'widgets', {
      resourceSelectors: [{ apiVersion: 'example.dev/v1', kind: 'Widget' }],
    });
    const none = await until(fleet, 'widgets', 'NotServed');
    expect(synced(none)).toMatchObject({
      status: 'False',
      message: '0 of 0 synced. Served by none of 3 clusters: Widget of example.dev/v1.',
    });
    await client('member2').create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
    const one = await until(fleet, 'widgets', 'AllSynced');
    expect(one.status!.summary).toMatchObject({ progress: '1/1', notServed: 2 });
    expect(unwell(one)).toEqual(['member1 Widget NotServed', 'member3 Widget NotServed']);
    expect(synced(one)!.message).toBe('1 of 1 synced. Not served, and so left out: member1 Widget, member3 Widget.');
  });

  it('the command line shows it', async () => {
    const { stdout } = await fleet.product.fleet('get', 'registries');
    expect(stdout).toMatch(/^NAME +SYNCED +OBJECTS +KINDS +AGE\nmaps +3\/3 +\d+ +ConfigMap +\d+/);
    const names = await fleet.product.fleet('get', 'registry', '-o', 'name');
    expect(names.stdout).toBe('resourceregistry.search.karmada.io/maps\nresourceregistry.search.karmada.io/widgets\n');
    const described = await fleet.product.fleet('describe', 'registry', 'widgets');
    expect(described.stdout).toMatch(/member1 +Widget\.example\.dev +NotServed/);
    const missing = await fleet.product.fleet('describe', 'registry', 'nothing');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no registry "nothing"') });
  });

  it.skipIf(!hasKubectl)('kubectl waits for it', async () => {
    const args = ['wait', '--for=condition=Synced', '--timeout=30s', 'resourceregistry/maps'];
    const env = { KUBECONFIG: fleet.product.adminKubeconfig, KUBECACHEDIR: join(fleet.folder, 'cache') };
    const { code, stdout, stderr } = await run('kubectl', args, env);
    expect([code, stdout, stderr]).toEqual([0, 'resourceregistry.search.karmada.io/maps condition met\n', '']);
  });

  it('a member that is stopped is unreachable, what is kept of it still counted; back again, it is synced', async () => {
    const before = (await read(fleet, 'maps')).status!.summary;
    await fleet.members.get('member1')![Symbol.asyncDispose]();
    const away = await until(fleet, 'maps', 'Unreachable');
    expect(away.status!.summary).toMatchObject({ progress: '2/3', objects: before['objects'] });
    expect(synced(away)).toMatchObject({ status: 'False', message: '2 of 3 synced. Unreachable: member1 configmaps.' });
    expect(away.status!.resources[0]).toMatchObject({ cluster: 'member1', lastError: expect.stringMatching(/./) });
    await fleet.restart('member1');
    expect((await until(fleet, 'maps', 'AllSynced')).status!.summary).toMatchObject({ progress: '3/3' });
  });

  it('a registry that selects no cluster', async () => {
    await register(fleet.controlPlane, 'none', {
      targetCluster: { clusterNames: ['nowhere'] },
      resourceSelectors: core('ConfigMap'),
    });
    expect(synced(await until(fleet, 'none', 'NoClusters'))).toMatchObject({ status: 'False' });
  });
});

describe('CACHE-18: what does not fit', () => {
  it('is reported as Full; what fits beside it is synced', async () => {
    await using fleet = await startFleet({ members: ['member1'], flags: ['--cache-memory', '1'] });
    const { client } = fleet.members.get('member1')!;
    await grantCache(fleet, 'member1', 'configmaps,widgets.example.dev');
    await fill(client, 3);
    await client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
    await register(fleet.controlPlane, 'all', {
      resourceSelectors: [...core('ConfigMap'), { apiVersion: 'example.dev/v1', kind: 'Widget' }],
    });
    const registry = await vi.waitFor(async () => {
      const registry = await until(fleet, 'all', 'Full');
      expect(registry.status!.summary.progress).toBe('1/2');
      return registry;
    }, settled);
    expect(unwell(registry)).toEqual(['member1 configmaps Full']);
    expect(synced(registry)!.message).toBe(
      '1 of 2 synced. Does not fit into --cache-memory, and is read from the members: member1 configmaps.',
    );
    await deregister(fleet.controlPlane, 'all');
  });
});
