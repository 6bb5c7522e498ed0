import type { KubeClient, KubeObject } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Binding } from './api/bindings.ts';
import type { AnyObject } from './api/objects.ts';
import {
  clustersPath,
  inNamespace,
  namespacesPath,
  propagationPoliciesPath,
  resourceBindingsPath,
  worksPath,
} from './api/paths.ts';
import type { Work } from './api/works.ts';
import { startFederation } from './federation.ts';
import { leavingAnnotation } from './members/leaving.ts';
import { type FakeControlPlane, fakeControlPlane } from './testing/fake-control-plane.ts';
import { servedKinds } from './testing/fake-pipeline.ts';

const settled = { timeout: 15_000, interval: 25 };
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const secrets = '/api/v1/namespaces/shop/secrets';
const policies = inNamespace(propagationPoliciesPath, 'shop');
const bindings = inNamespace(resourceBindingsPath, 'shop');

let controlPlane: FakeControlPlane;
let members: Map<string, FakeControlPlane>;
let warnings: unknown[];
let running: AsyncDisposable;

async function join(name: string): Promise<void> {
  members.set(name, fakeControlPlane());
  await controlPlane.client.create(clustersPath, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: {},
  });
  const apiEnablements = servedKinds.map(({ apiVersion, kind }) => ({
    groupVersion: apiVersion,
    resources: [{ kind }],
  }));
  const status = { apiEnablements, conditions: [{ type: 'Ready', status: 'True' }] };
  await controlPlane.client.patch(`${clustersPath}/${name}/status`, 'merge', { status });
}

beforeEach(async () => {
  controlPlane = fakeControlPlane();
  members = new Map();
  warnings = [];
  running = await startFederation(
    {
      controlPlane: controlPlane.client,
      connections: { client: (cluster) => members.get(cluster)?.client },
      served: { current: () => servedKinds, onChange: () => ({ [Symbol.dispose]() {} }) },
      scheduling: { isFederated: () => true, isActive: () => true },
      hooks: { resolveService: () => undefined },
      log: { info() {}, warn: (fields) => void warnings.push(fields) },
    },
    new AbortController().signal,
  );
  await join('m1');
  await join('m2');
  const metadata = { name: 'shop' };
  await controlPlane.client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata });
});
afterEach(() => running[Symbol.asyncDispose]());

const deployment = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas,
    template: { spec: { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'key' } }] }] } },
  },
});

const policy = (weights: Record<string, number>, more: object = {}) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'p' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    placement: {
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: Object.entries(weights).map(([name, weight]) => ({
            targetCluster: { clusterNames: [name] },
            weight,
          })),
        },
      },
    },
    ...more,
  },
});

const at = async <T extends KubeObject = AnyObject>(client: KubeClient, path: string): Promise<T | undefined> =>
  client.get<T>(path).catch((error: { code: number }) => {
    if (error.code === 404) return undefined;
    throw error;
  });
const inMembers = (path: string) => Promise.all([...members.values()].map(({ client }) => at(client, path)));
const replicas = async () => (await inMembers(`${deployments}/web`)).map((object) => specOf(object)?.['replicas']);
const specOf = (object: AnyObject | undefined) => object?.['spec'] as Record<string, unknown> | undefined;
const isHere = async (path: string) => (await inMembers(path)).map((object) => object !== undefined);

async function propagated(more: object = {}): Promise<void> {
  await controlPlane.client.create(deployments, deployment(6));
  await controlPlane.client.create(policies, policy({ m1: 2, m2: 1 }, more));
  await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
}

/** As a member's controllers do. */
async function rollOut(cluster: string): Promise<void> {
  const { client } = members.get(cluster)!;
  const object = await client.get<AnyObject>(`${deployments}/web`);
  const count = specOf(object)?.['replicas'];
  const status = { observedGeneration: object.metadata.generation, replicas: count, readyReplicas: count };
  const patch = { status: { ...status, updatedReplicas: count, availableReplicas: count } };
  await client.patch(`${deployments}/web/status`, 'merge', patch);
}

/** Their execution spaces, by the name of what they bring. */
async function worksOf(name: string): Promise<(string | undefined)[]> {
  const { items } = await controlPlane.client.list<KubeObject>(worksPath);
  return items.filter(({ metadata }) => metadata.name.startsWith(`${name}-`)).map(({ metadata }) => metadata.namespace);
}

const bindingNow = () => at<Binding>(controlPlane.client, `${bindings}/web-deployment`);

describe('the federation', () => {
  it('FED-1, FED-5, FED-8: makes of a template and a policy objects in members, divided by weight and marked', async () => {
    await propagated();
    const binding = await bindingNow();
    expect(binding?.spec.clusters).toEqual([
      { name: 'm1', replicas: 4 },
      { name: 'm2', replicas: 2 },
    ]);
    const { items } = await controlPlane.client.list<KubeObject>(
      `${worksPath}?labelSelector=${encodeURIComponent(
        `resourcebinding.karmada.io/permanent-id=${binding?.metadata.labels?.['resourcebinding.karmada.io/permanent-id']}`,
      )}`,
    );
    expect(items.map(({ metadata }) => metadata.namespace).sort()).toEqual(['karmada-es-m1', 'karmada-es-m2']);
    const [first] = await inMembers(`${deployments}/web`);
    const work = items.find(({ metadata }) => metadata.namespace === 'karmada-es-m1')!;
    expect(first?.metadata.labels).toMatchObject({
      app: 'web',
      'karmada.io/managed': 'true',
      'work.karmada.io/permanent-id': work.metadata.labels?.['work.karmada.io/permanent-id'],
      'propagationpolicy.karmada.io/permanent-id': expect.any(String),
    });
    expect(first?.metadata.annotations).toMatchObject({
      'work.karmada.io/name': work.metadata.name,
      'work.karmada.io/namespace': 'karmada-es-m1',
      'resourcebinding.karmada.io/name': 'web-deployment',
      'work.karmada.io/conflict-resolution': 'abort',
    });
  });

  it('FED-10: gives the namespace to every member, and takes it away with the Namespace', async () => {
    await vi.waitFor(async () => expect(await isHere(`${namespacesPath}/shop`)).toEqual([true, true]), settled);
    await controlPlane.client.delete(`${namespacesPath}/shop`);
    await vi.waitFor(async () => expect(await isHere(`${namespacesPath}/shop`)).toEqual([false, false]), settled);
    await vi.waitFor(async () => expect(await worksOf('shop')).toEqual([]), settled);
  });

  it('FED-10: leaves a namespace that the member already has as it is, and never deletes it', async () => {
    const member = members.get('m1')!;
    const foreign = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'theirs', labels: { team: 'a' } } };
    await member.client.create(namespacesPath, foreign);
    const before = await member.client.get<AnyObject>(`${namespacesPath}/theirs`);
    const metadata = { name: 'theirs' };
    await controlPlane.client.create(namespacesPath, { apiVersion: 'v1', kind: 'Namespace', metadata });
    const worksOfM1 = inNamespace(worksPath, 'karmada-es-m1');
    const isApplied = async () => {
      const { items } = await controlPlane.client.list<Work>(worksOfM1);
      const work = items.find(({ metadata }) => metadata.name.startsWith('theirs-'));
      return work?.status?.conditions?.find(({ type }) => type === 'Applied')?.status;
    };
    await vi.waitFor(async () => expect(await isApplied()).toBe('True'), settled);
    await controlPlane.client.delete(`${namespacesPath}/theirs`);
    await vi.waitFor(async () => expect(await isApplied()).toBeUndefined(), settled);
    expect(await member.client.get(`${namespacesPath}/theirs`)).toEqual(before);
  });

  it('FED-12, FED-16: brings statuses back into Works, the binding and the template', async () => {
    await propagated();
    await rollOut('m1');
    await rollOut('m2');
    await vi.waitFor(async () => {
      const binding = await bindingNow();
      const items = binding?.status?.aggregatedStatus?.map(({ clusterName, applied, health }) => [
        clusterName,
        applied,
        health,
      ]);
      expect(items).toEqual([
        ['m1', true, 'Healthy'],
        ['m2', true, 'Healthy'],
      ]);
      const conditions = binding?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]).sort();
      expect(conditions).toEqual([
        ['FullyApplied', 'True', 'FullyAppliedSuccess'],
        ['Scheduled', 'True', 'Success'],
      ]);
      const template = await at(controlPlane.client, `${deployments}/web`);
      expect(template?.['status']).toMatchObject({ replicas: 6, readyReplicas: 6, observedGeneration: 1 });
    }, settled);
  });

  it('FED-17: divides again what is scaled', async () => {
    await propagated();
    await controlPlane.client.patch(`${deployments}/web`, 'merge', { spec: { replicas: 9 } });
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, 3]), settled);
  });

  it('FED-8: puts back what somebody changed in a member, and makes again what was deleted there', async () => {
    await propagated();
    const { client } = members.get('m1')!;
    await client.patch(`${deployments}/web`, 'merge', { spec: { replicas: 1 } });
    await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
    await client.patch(`${deployments}/web`, 'merge', { metadata: { labels: { app: 'other', own: 'x' } } });
    await vi.waitFor(async () => {
      const [first] = await inMembers(`${deployments}/web`);
      expect(first?.metadata.labels).toMatchObject({ app: 'web', own: 'x' });
    }, settled);
    await client.delete(`${deployments}/web`);
    await vi.waitFor(async () => expect(await replicas()).toEqual([4, 2]), settled);
  });

  it('FED-3, FED-9: releases the template of a deleted policy, whose objects stay', async () => {
    await propagated();
    await controlPlane.client.delete(`${policies}/p`);
    await vi.waitFor(async () => expect(await at(controlPlane.client, `${policies}/p`)).toBeUndefined(), settled);
    const template = await at(controlPlane.client, `${deployments}/web`);
    expect(template?.metadata.labels).toEqual({ app: 'web' });
    const binding = await bindingNow();
    expect(Object.keys({ ...binding?.metadata.labels, ...binding?.metadata.annotations })).not.toContainEqual(
      expect.stringMatching(/^(cluster)?propagationpolicy/),
    );
    expect(binding?.spec.clusters).toHaveLength(2);
    expect(await replicas()).toEqual([4, 2]);
  });

  it.each([
    ['takes the objects of a deleted template away', {}, [false, false]],
    [
      'leaves them with preserveResourcesOnDeletion, without marks',
      { preserveResourcesOnDeletion: true },
      [true, true],
    ],
  ])('FED-9: %s', async (_what, more, expected) => {
    await propagated(more);
    await controlPlane.client.delete(`${deployments}/web`);
    await vi.waitFor(async () => expect(await bindingNow()).toBeUndefined(), settled);
    expect(await isHere(`${deployments}/web`)).toEqual(expected);
    for (const object of await inMembers(`${deployments}/web`)) {
      expect(object?.metadata.labels ?? { app: 'web' }).toEqual({ app: 'web' });
      expect(object?.metadata.annotations).toBeUndefined();
    }
    expect(await worksOf('web')).toEqual([]);
  });

  it('FED-11: dependencies follow their parent, also made later, and go with it', async () => {
    await propagated({ propagateDeps: true });
    await controlPlane.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key' },
      data: {},
    });
    await vi.waitFor(async () => expect(await isHere(`${secrets}/key`)).toEqual([true, true]), settled);
    await controlPlane.client.delete(`${deployments}/web`);
    await vi.waitFor(async () => {
      expect(await isHere(`${secrets}/key`)).toEqual([false, false]);
      expect(await at(controlPlane.client, `${bindings}/key-secret`)).toBeUndefined();
      expect(await bindingNow()).toBeUndefined();
    }, settled);
    expect(await at(controlPlane.client, `${secrets}/key`)).toBeDefined();
  });

  it('FED-9: a member that is removed and has no connection any more holds nothing, though it was ready last', async () => {
    await propagated();
    const { client } = members.get('m2')!;
    members.delete('m2');
    await controlPlane.client.delete(`${clustersPath}/m2`);
    await vi.waitFor(async () => expect(await at(controlPlane.client, `${clustersPath}/m2`)).toBe(undefined), settled);
    expect(await at(client, `${deployments}/web`)).toBeDefined();
  });

  it('FED-9: takes everything out of a member that is removed, and only then lets its Cluster go', async () => {
    await propagated();
    await controlPlane.client.delete(`${clustersPath}/m2`);
    await vi.waitFor(async () => expect(await at(controlPlane.client, `${clustersPath}/m2`)).toBeUndefined(), settled);
    expect((await replicas())[1]).toBeUndefined();
    // What it had goes to the other, which may take longer.
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, undefined]), settled);
    expect(await isHere(`${namespacesPath}/shop`)).toEqual([true, false]);
    expect([...(await worksOf('shop')), ...(await worksOf('web'))]).toEqual(['karmada-es-m1', 'karmada-es-m1']);
    expect(await at(controlPlane.client, `${namespacesPath}/karmada-es-m2`)).toBeUndefined();
  });

  const clusterNow = (name: string) => at(controlPlane.client, `${clustersPath}/${name}`);
  const isGone = (name: string) => vi.waitFor(async () => expect(await clusterNow(name)).toBeUndefined(), settled);
  const chosen = async () => (await bindingNow())?.spec.clusters?.map(({ name }) => name);

  it.each([
    ['its policy is gone', () => controlPlane.client.delete(`${policies}/p`)],
    [
      'it is suspended',
      () => controlPlane.client.patch(`${policies}/p`, 'merge', { spec: { suspension: { scheduling: true } } }),
    ],
  ])('FED-9, FED-17: a binding that nobody schedules loses a member that is removed: %s', async (_why, stop) => {
    await propagated();
    await stop();
    await vi.waitFor(async () => {
      const binding = await bindingNow();
      const isClaimed = binding?.metadata.labels?.['propagationpolicy.karmada.io/permanent-id'] !== undefined;
      expect(isClaimed && binding?.spec.suspension?.scheduling !== true).toBe(false);
    }, settled);
    await controlPlane.client.delete(`${clustersPath}/m2`);
    await isGone('m2');
    expect(await chosen()).toEqual(['m1']);
    expect(await replicas()).toEqual([4, undefined]);
  });

  it('FED-9: what is preserved stays in a member that is removed, without marks', async () => {
    await propagated({ preserveResourcesOnDeletion: true });
    await controlPlane.client.delete(`${clustersPath}/m2`);
    await isGone('m2');
    const object = await at(members.get('m2')!.client, `${deployments}/web`);
    expect(object?.metadata.labels).toEqual({ app: 'web' });
    expect(object?.metadata.annotations).toBeUndefined();
  });

  it('FED-9: the clean-up in a member that is removed is dropped once it cannot be reached any more', async () => {
    await propagated();
    const m2 = members.get('m2')!;
    let attempts = 0;
    m2.onRequest = ({ verb }) => {
      if (verb !== 'get' && verb !== 'delete') return;
      attempts++;
      throw new Error('connection refused');
    };
    await controlPlane.client.delete(`${clustersPath}/m2`);
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(2), settled);
    expect((await clusterNow('m2'))?.metadata.finalizers).toEqual(['karmada.io/cluster-controller']);
    const status = { conditions: [{ type: 'Ready', status: 'False' }] };
    await controlPlane.client.patch(`${clustersPath}/m2/status`, 'merge', { status });
    await isGone('m2');
    m2.onRequest = undefined;
    expect(await at(m2.client, `${deployments}/web`)).toBeDefined();
  });

  const leave = (name: string) =>
    controlPlane.client.patch(`${clustersPath}/${name}`, 'merge', {
      metadata: { annotations: { [leavingAnnotation]: 'true' } },
    });

  it('CLU-2, FED-9: everything goes from a member that is about to leave, which stays until it is deleted', async () => {
    await propagated();
    await leave('m2');
    await vi.waitFor(async () => {
      expect(await replicas()).toEqual([6, undefined]);
      expect(await isHere(`${namespacesPath}/shop`)).toEqual([true, false]);
      expect([...(await worksOf('shop')), ...(await worksOf('web'))]).toEqual(['karmada-es-m1', 'karmada-es-m1']);
    }, settled);
    expect(await chosen()).toEqual(['m1']);
    expect((await clusterNow('m2'))?.metadata.finalizers).toEqual(['karmada.io/cluster-controller']);
    expect(await at(controlPlane.client, `${namespacesPath}/karmada-es-m2`)).toBeDefined();
    // Where it stays after all, it is a member as others again. Divided replicas do not move for it.
    const metadata = { annotations: { [leavingAnnotation]: null } };
    await controlPlane.client.patch(`${clustersPath}/m2`, 'merge', { metadata });
    await vi.waitFor(async () => expect(await isHere(`${namespacesPath}/shop`)).toEqual([true, true]), settled);
    await controlPlane.client.patch(`${deployments}/web`, 'merge', { spec: { replicas: 9 } });
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, 3]), settled);
  });

  it('FED-9: an unreachable member that is about to leave keeps its clean-up until it is back', async () => {
    await propagated();
    const ready = (status: string) =>
      controlPlane.client.patch(`${clustersPath}/m2/status`, 'merge', {
        status: { conditions: [{ type: 'Ready', status }] },
      });
    await ready('False');
    await leave('m2');
    await vi.waitFor(async () => expect(await chosen()).toEqual(['m1']), settled);
    await vi.waitFor(async () => {
      const { items } = await controlPlane.client.list<Work>(inNamespace(worksPath, 'karmada-es-m2'));
      expect(items.map(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([true, true]);
    }, settled);
    expect((await replicas())[1]).toBe(2);
    await ready('True');
    await vi.waitFor(async () => expect(await replicas()).toEqual([6, undefined]), settled);
  });

  it('is at rest when nothing happens', async () => {
    await propagated({ propagateDeps: true });
    await rollOut('m1');
    await rollOut('m2');
    const planes = [controlPlane, ...members.values()];
    let before = -1;
    await vi.waitFor(
      () => {
        const now = planes.reduce((sum, { writes }) => sum + writes.length, 0);
        const isSame = now === before;
        before = now;
        expect(isSame).toBe(true);
      },
      { timeout: 15_000, interval: 1_500 },
    );
    expect((await bindingNow())?.status?.aggregatedStatus).toHaveLength(2);
  });
});
