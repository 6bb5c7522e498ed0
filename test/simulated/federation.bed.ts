/** Federation on simulated clusters: a template and a policy become objects in members, and their statuses come back. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { byWeight, deployment, joinFederation } from './src/federation.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';

interface Deployment extends KubeObject {
  spec: { replicas: number };
  status?: { replicas?: number; readyReplicas?: number; observedGeneration?: number };
}

const settled = { timeout: 30_000, interval: 200 };
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';
const bindings = '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings';

let fleet: SimulatedFleet;

const replicasIn = (cluster: string, name: string): Promise<number | undefined> =>
  fleet.members
    .get(cluster)!
    .client.get<Deployment>(`${deployments}/${name}`)
    .then(
      ({ spec }) => spec.replicas,
      () => undefined,
    );

beforeAll(async () => {
  fleet = await startFleet({ members: ['tokyo', 'paris'], flags: ['--federation'] });
  await joinFederation(fleet, 'deployments.apps');
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('FED-1: a template with a policy', () => {
  it('becomes objects in its clusters, divided by weight, and their statuses come back', async () => {
    await fleet.controlPlane.create(deployments, deployment('shop', 6));
    await fleet.controlPlane.create(policies, byWeight('shop', { tokyo: 2, paris: 1 }));
    await vi.waitFor(async () => {
      expect([await replicasIn('tokyo', 'shop'), await replicasIn('paris', 'shop')]).toEqual([4, 2]);
    }, settled);
    await vi.waitFor(async () => {
      const { status } = await fleet.controlPlane.get<Binding>(`${bindings}/shop-deployment`);
      const conditions = status?.conditions?.map(({ type, status }) => [type, status]) ?? [];
      expect(Object.fromEntries(conditions)).toEqual({ Scheduled: 'True', FullyApplied: 'True' });
      expect(
        status?.aggregatedStatus?.map(({ clusterName, applied, health }) => [clusterName, applied, health]),
      ).toEqual([
        ['paris', true, 'Healthy'],
        ['tokyo', true, 'Healthy'],
      ]);
      const template = await fleet.controlPlane.get<Deployment>(`${deployments}/shop`);
      expect(template.status).toMatchObject({
        replicas: 6,
        readyReplicas: 6,
        observedGeneration: template.metadata.generation,
      });
    }, settled);
  });

  it('FED-17: is divided again where it is scaled', async () => {
    await fleet.controlPlane.patch(`${deployments}/shop`, 'merge', { spec: { replicas: 9 } });
    await vi.waitFor(async () => {
      expect([await replicasIn('tokyo', 'shop'), await replicasIn('paris', 'shop')]).toEqual([6, 3]);
    }, settled);
  });

  it('FED-8: what somebody changed in a member is put back, and what was deleted there is made again', async () => {
    const tokyo = fleet.members.get('tokyo')!.client;
    await tokyo.patch(`${deployments}/shop`, 'merge', { spec: { replicas: 1 } });
    await vi.waitFor(async () => expect(await replicasIn('tokyo', 'shop')).toBe(6), settled);
    await tokyo.delete(`${deployments}/shop`);
    await vi.waitFor(async () => expect(await replicasIn('tokyo', 'shop')).toBe(6), settled);
  });

  it('FED-3, FED-9: a policy that is deleted releases the template, whose objects stay', async () => {
    await fleet.controlPlane.delete(`${policies}/shop`);
    await vi.waitFor(async () => {
      await expect(fleet.controlPlane.get(`${policies}/shop`)).rejects.toMatchObject({ code: 404 });
    }, settled);
    const template = await fleet.controlPlane.get<Deployment>(`${deployments}/shop`);
    expect(template.metadata.labels).toEqual({ app: 'shop' });
    expect(await replicasIn('tokyo', 'shop')).toBe(6);
  });

  it('FED-9: that is deleted takes its objects with it', async () => {
    await fleet.controlPlane.delete(`${deployments}/shop`);
    await vi.waitFor(async () => {
      expect([await replicasIn('tokyo', 'shop'), await replicasIn('paris', 'shop')]).toEqual([undefined, undefined]);
      const { items } = await fleet.controlPlane.get<{ items: Work[] }>('/apis/work.karmada.io/v1alpha1/works');
      expect(items.filter(({ metadata }) => metadata.name.startsWith('shop'))).toEqual([]);
    }, settled);
  });
});
