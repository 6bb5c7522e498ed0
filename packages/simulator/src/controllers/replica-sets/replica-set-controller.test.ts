import type { KubeObject } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { controllerOf } from '../shared/controller-ref.ts';
import { startTestCluster, type TestCluster } from '../testing/cluster.ts';
import type { ReplicaSet } from './replica-set.ts';

const core = '/api/v1/namespaces/default';
const path = '/apis/apps/v1/namespaces/default/replicasets';
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };

const set = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
});

const statusOf = async ({ client }: TestCluster) => (await client.get<ReplicaSet>(`${path}/web`)).status;

describe('ReplicaSets', () => {
  it('adopt pods that they select, and release those that they do not select any more', async () => {
    const cluster = await startTestCluster();
    await cluster.client.create(`${core}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'orphan', labels: { app: 'web' } },
      spec: template.spec,
    });
    await cluster.client.create(path, set(2));
    await cluster.eventually(async () => expect((await statusOf(cluster))?.readyReplicas).toBe(2));
    const pods = await cluster.list<Pod>(`${core}/pods`);
    expect(pods).toHaveLength(2);
    expect(pods.map((pod) => controllerOf(pod)?.name)).toEqual(['web', 'web']);
    await cluster.client.patch(`${core}/pods/orphan`, 'merge', { metadata: { labels: { app: 'free' } } });
    await cluster.eventually(async () => {
      expect(await cluster.list<Pod>(`${core}/pods`)).toHaveLength(3);
      expect(controllerOf(await cluster.client.get<Pod>(`${core}/pods/orphan`))).toBeUndefined();
    });
    expect(cluster.errors).toEqual([]);
  });

  it('make many pods exactly once each, and scale down to none', async () => {
    const cluster = await startTestCluster();
    await cluster.client.create(path, set(40));
    await cluster.eventually(async () => expect((await statusOf(cluster))?.readyReplicas).toBe(40));
    expect(await cluster.list<Pod>(`${core}/pods`)).toHaveLength(40);
    await cluster.client.patch(`${path}/web`, 'merge', { spec: { replicas: 0 } });
    await cluster.eventually(async () => {
      expect(await cluster.list<Pod>(`${core}/pods`)).toEqual([]);
      expect(await statusOf(cluster)).toEqual({ replicas: 0, terminatingReplicas: 0, observedGeneration: 2 });
    });
  });

  it('make no pods that they would not see', async () => {
    const cluster = await startTestCluster();
    const labels = { app: 'web', 'simulator.fleet.karmada.io/inert': 'true' };
    const spec = {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { ...template, metadata: { labels } },
    };
    await cluster.client.create(path, { ...set(2), spec });
    await cluster.eventually(async () =>
      expect(await cluster.list<KubeObject>(`${core}/events`)).toContainEqual(
        expect.objectContaining({
          reason: 'FailedCreate',
          message: expect.stringContaining('unable to create pods with the label simulator.fleet.karmada.io/inert'),
        }),
      ),
    );
    expect(await cluster.list<Pod>(`${core}/pods`)).toEqual([]);
  });

  it('leave their pods behind where they are deleted so', async () => {
    const cluster = await startTestCluster();
    await cluster.client.create(path, set(1));
    await cluster.eventually(async () => expect((await statusOf(cluster))?.readyReplicas).toBe(1));
    await cluster.client.delete(`${path}/web`, { propagationPolicy: 'Orphan' });
    await cluster.eventually(async () => {
      const [pod] = await cluster.list<Pod>(`${core}/pods`);
      expect(controllerOf(pod!)).toBeUndefined();
    });
    expect(cluster.errors).toEqual([]);
  });

  it('report that pods cannot be created, and go on when they can', async () => {
    let isFull = true;
    const message = 'pods "web-" is forbidden: exceeded quota: pods';
    const cluster = await startTestCluster({
      refuse: (method, asked) =>
        isFull && method === 'POST' && asked.endsWith('/pods') ? new StatusError(403, 'Forbidden', message) : undefined,
    });
    await cluster.client.create(path, set(3));
    await cluster.eventually(async () => {
      expect((await statusOf(cluster))?.conditions).toMatchObject([
        { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message },
      ]);
      expect(await cluster.events('web')).toEqual([`Warning FailedCreate Error creating: ${message}`]);
    });
    isFull = false;
    await cluster.eventually(async () => {
      const status = await statusOf(cluster);
      expect(status?.readyReplicas).toBe(3);
      expect(status).not.toHaveProperty('conditions');
    });
    expect(cluster.errors).toContainEqual(expect.objectContaining({ code: 403 }));
  });

  it('ReplicationControllers do the same', async () => {
    const cluster = await startTestCluster();
    await cluster.client.create(`${core}/replicationcontrollers`, {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'rc' },
      spec: { replicas: 2, selector: { app: 'web' }, template },
    });
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<ReplicaSet>(`${core}/replicationcontrollers/rc`);
      expect(status).toMatchObject({ replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
      expect(status).not.toHaveProperty('terminatingReplicas');
    });
    expect(await cluster.events('rc')).toContainEqual(
      expect.stringMatching(/^Normal SuccessfulCreate Created pod: rc-/),
    );
  });
});
