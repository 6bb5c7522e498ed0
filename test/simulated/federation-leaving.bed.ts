/** A cluster that federation has objects in leaves the fleet: by `fleet unjoin`, by a deleted Cluster, reachable and not. */

import { join } from 'node:path';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { byWeight, deployment, joinFederation } from './src/federation.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';

const settled = { timeout: 60_000, interval: 200 };
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies';
const binding = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment';
const secrets = '/api/v1/namespaces/karmada-cluster/secrets';
const leavers = ['tokyo', 'oslo', 'lima', 'rome', 'cairo'];

let fleet: SimulatedFleet;

async function found(client: { get(path: string): Promise<unknown> }, path: string): Promise<KubeObject | undefined> {
  try {
    return (await client.get(path)) as KubeObject;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return undefined;
    throw error;
  }
}

const inMember = (cluster: string, path: string) => found(fleet.members.get(cluster)!.client, path);

const chosen = async () =>
  (await fleet.controlPlane.get<Binding>(binding)).spec.clusters?.map(({ name }) => name).sort() ?? [];

/** Of the cluster in the control plane. */
const leftOf = async (cluster: string): Promise<string[]> => {
  const paths = [
    `${clusters}/${cluster}`,
    `/api/v1/namespaces/karmada-es-${cluster}`,
    `${secrets}/${cluster}`,
    `${secrets}/${cluster}-impersonator`,
  ];
  const objects = await Promise.all(paths.map((path) => found(fleet.controlPlane, path)));
  return paths.filter((_path, index) => objects[index]);
};

async function isOut(cluster: string): Promise<void> {
  expect(await leftOf(cluster)).toEqual([]);
  await vi.waitFor(async () => expect(await chosen()).not.toContain(cluster), settled);
}

beforeAll(async () => {
  fleet = await startFleet({ members: ['paris', ...leavers], flags: ['--federation'] });
  await joinFederation(fleet, 'deployments.apps');
  await fleet.members.get('tokyo')!.client.create('/api/v1/namespaces', { metadata: { name: 'kept' } });
  for (const name of ['shop', 'kept']) await fleet.controlPlane.create('/api/v1/namespaces', { metadata: { name } });
  await fleet.controlPlane.create(deployments, deployment('web', 12));
  const weights = Object.fromEntries(['paris', ...leavers].map((name) => [name, 1]));
  await fleet.controlPlane.create(policies, byWeight('web', weights));
  await vi.waitFor(async () => {
    for (const name of fleet.members.keys()) expect(await inMember(name, `${deployments}/web`)).toBeDefined();
  }, settled);
}, 120_000);
afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('a cluster that federation has objects in', () => {
  it('CLU-6, FED-9: whose Cluster is deleted leaves; what federation made there goes, and nothing else', async () => {
    await fleet.controlPlane.delete(`${clusters}/tokyo`);
    await vi.waitFor(async () => expect(await leftOf('tokyo')).toEqual([]), settled);
    await isOut('tokyo');
    await vi.waitFor(async () => {
      expect(await inMember('tokyo', `${deployments}/web`)).toBeUndefined();
      expect(await inMember('tokyo', '/api/v1/namespaces/shop')).toBeUndefined();
    }, settled);
    // It was there before.
    expect(await inMember('tokyo', '/api/v1/namespaces/kept')).toBeDefined();
    expect(await inMember('paris', `${deployments}/web`)).toBeDefined();
  }, 120_000);

  it('CLU-2, FED-9: leaves with fleet unjoin, through the fleet', async () => {
    const { code, stderr } = await fleet.product.fleet('unjoin', 'oslo');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('no longer in the fleet') });
    expect(stderr).toMatch(
      /Remove what federation has put into oslo[\s\S]*Remove the namespace, accounts[\s\S]*Remove the cluster/,
    );
    await isOut('oslo');
    await vi.waitFor(async () => {
      for (const path of [`${deployments}/web`, '/api/v1/namespaces/shop', '/api/v1/namespaces/fleet-system'])
        expect(await inMember('oslo', path)).toBeUndefined();
    }, settled);
  }, 120_000);

  it('CLU-2, FED-9: leaves with fleet unjoin and its own kubeconfig', async () => {
    const kubeconfig = join(fleet.folder, 'lima.kubeconfig');
    const { code, stderr } = await fleet.product.fleet('unjoin', 'lima', '--kubeconfig', kubeconfig);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await isOut('lima');
    await vi.waitFor(async () => {
      for (const path of [`${deployments}/web`, '/api/v1/namespaces/shop', '/api/v1/namespaces/fleet-system'])
        expect(await inMember('lima', path)).toBeUndefined();
    }, settled);
  }, 120_000);

  const stop = async (cluster: string) => {
    await fleet.members.get(cluster)![Symbol.asyncDispose]();
    fleet.members.delete(cluster);
  };

  it('CLU-6, FED-9: that cannot be reached leaves when its Cluster is deleted, without the clean-up', async () => {
    await stop('rome');
    const refused = await fleet.product.fleet('unjoin', 'rome');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect(await chosen()).toContain('rome');
    // It is ready as far as is known: that it is not is noticed meanwhile.
    await fleet.controlPlane.delete(`${clusters}/rome`);
    await vi.waitFor(async () => expect(await leftOf('rome')).toEqual([]), { ...settled, timeout: 90_000 });
    await isOut('rome');
  }, 150_000);

  it('CLU-2, FED-9: that cannot be reached leaves at once by force', async () => {
    await stop('cairo');
    const { code, stderr } = await fleet.product.fleet('unjoin', 'cairo', '--force');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('no longer in the fleet') });
    await isOut('cairo');
  }, 120_000);
});

describe('AGENT-11: one that is reached through its agent only', () => {
  it('CLU-6, FED-9: leaves when its Cluster is deleted; its agent stays until what federation made there is gone', async () => {
    await using agents = await startFleet({ members: ['bergen'], flags: ['--federation'], agents: true });
    const { client } = agents.members.get('bergen')!;
    const namespace = '/api/v1/namespaces/shop';
    await agents.controlPlane.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
    await vi.waitFor(async () => expect(await found(client, namespace)).toBeDefined(), settled);
    await agents.controlPlane.delete(`${clusters}/bergen`);
    await vi.waitFor(
      async () => expect(await found(agents.controlPlane, `${clusters}/bergen`)).toBeUndefined(),
      settled,
    );
    await vi.waitFor(async () => expect(await found(client, namespace)).toBeUndefined(), settled);
  }, 120_000);
});
