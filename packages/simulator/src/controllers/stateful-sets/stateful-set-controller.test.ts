import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import type { ControllerRevision } from '../shared/controller-revision.ts';
import { startTestCluster, type TestCluster } from '../testing/cluster.ts';
import type { Claim, StatefulSet } from './stateful-set.ts';

const path = '/apis/apps/v1/namespaces/default/statefulsets';

const template = (image: string): StatefulSet['spec']['template'] => ({
  metadata: { labels: { app: 'db' } },
  spec: { containers: [{ name: 'db', image }], terminationGracePeriodSeconds: 10 },
});

const db = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    selector: { matchLabels: { app: 'db' } },
    template: template('v1'),
    ...spec,
  },
});

async function run(spec: Partial<StatefulSet['spec']> = {}): Promise<TestCluster & { get(): Promise<StatefulSet> }> {
  const cluster = await startTestCluster();
  await cluster.client.create(path, db(spec));
  return { ...cluster, get: () => cluster.client.get<StatefulSet>(`${path}/db`) };
}

const images = async ({ list }: TestCluster): Promise<string[]> =>
  (await list<Pod>('/api/v1/pods')).map(({ metadata, spec }) => `${metadata.name} ${spec.containers[0]!['image']}`);

describe('StatefulSets', () => {
  it('make pods in order, with names, labels, host names and claims of their own', async () => {
    const cluster = await run({
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    await cluster.eventually(async () => {
      const { status, metadata } = await cluster.get();
      expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3 });
      expect(status).toMatchObject({ currentReplicas: 3, observedGeneration: metadata.generation, collisionCount: 0 });
    });
    const { status } = await cluster.get();
    expect(status!.currentRevision).toBe(status!.updateRevision);
    const pods = await cluster.list<Pod>('/api/v1/pods');
    expect(pods[1]).toMatchObject({
      metadata: {
        name: 'db-1',
        labels: {
          'statefulset.kubernetes.io/pod-name': 'db-1',
          'apps.kubernetes.io/pod-index': '1',
          'controller-revision-hash': status!.updateRevision,
        },
      },
      spec: {
        hostname: 'db-1',
        subdomain: 'db',
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }],
      },
    });
    const claims = await cluster.list<Claim>('/api/v1/persistentvolumeclaims');
    expect(claims.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual(
      ['data-db-0', 'data-db-1', 'data-db-2'].map((name) => [name, { app: 'db' }]),
    );
    const [revision] = await cluster.list<ControllerRevision>('/apis/apps/v1/controllerrevisions');
    expect(revision).toMatchObject({ metadata: { name: status!.updateRevision }, revision: 1 });
    expect((await cluster.events('db')).slice(0, 4)).toEqual([
      'Normal SuccessfulCreate Create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'Normal SuccessfulCreate Create Pod db-0 in StatefulSet db successful',
      'Normal SuccessfulCreate Create Claim data-db-1 Pod db-1 in StatefulSet db success',
      'Normal SuccessfulCreate Create Pod db-1 in StatefulSet db successful',
    ]);
    expect(cluster.errors).toEqual([]);
  });

  it('update pods of neither revision, and count them as none', async () => {
    const cluster = await run({ replicas: 1 });
    await cluster.eventually(async () => expect((await cluster.get()).status?.readyReplicas).toBe(1));
    await cluster.client.patch('/api/v1/namespaces/default/pods/db-0', 'merge', {
      metadata: { labels: { 'controller-revision-hash': 'db-unknown' } },
    });
    await cluster.eventually(async () => {
      const [pod] = await cluster.list<Pod>('/api/v1/pods');
      const { status } = await cluster.get();
      expect(pod?.metadata.labels?.['controller-revision-hash']).toBe(status!.updateRevision);
      expect(status).toMatchObject({ readyReplicas: 1, currentReplicas: 1 });
    });
    expect(cluster.errors).toEqual([]);
  });

  it('update from the highest ordinal down to the partition, then below it', async () => {
    const cluster = await run();
    await cluster.eventually(async () => expect((await cluster.get()).status?.readyReplicas).toBe(3));
    const rollingUpdate = { partition: 2 };
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
    await cluster.client.patch(`${path}/db`, 'merge', { spec: { template: template('v2'), updateStrategy } });
    await cluster.eventually(async () => {
      expect((await cluster.get()).status).toMatchObject({ updatedReplicas: 1, readyReplicas: 3, currentReplicas: 2 });
      expect(await images(cluster)).toEqual(['db-0 v1', 'db-1 v1', 'db-2 v2']);
    });
    await cluster.client.patch(`${path}/db`, 'merge', {
      spec: { updateStrategy: { rollingUpdate: { partition: 0 } } },
    });
    await cluster.eventually(async () => {
      const { status } = await cluster.get();
      expect(status).toMatchObject({ updatedReplicas: 3, readyReplicas: 3, currentReplicas: 3 });
      expect(status!.currentRevision).toBe(status!.updateRevision);
    });
    expect(await images(cluster)).toEqual(['db-0 v2', 'db-1 v2', 'db-2 v2']);
    const deleted = (await cluster.events('db')).filter((event) => event.includes('Delete'));
    expect(deleted).toEqual(
      ['db-2', 'db-1', 'db-0'].map((pod) => `Normal SuccessfulDelete Delete Pod ${pod} in StatefulSet db successful`),
    );
  });

  it('scale down from the highest ordinal, and delete claims if the policy requires it', async () => {
    const cluster = await run({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
        },
      ],
    });
    await cluster.eventually(async () => expect((await cluster.get()).status?.readyReplicas).toBe(3));
    await cluster.client.patch(`${path}/db`, 'merge', { spec: { replicas: 1 } });
    await cluster.eventually(async () => {
      expect((await cluster.get()).status).toMatchObject({ replicas: 1, readyReplicas: 1 });
      const owners = (await cluster.list<Claim>('/api/v1/persistentvolumeclaims')).filter(
        ({ metadata }) => !metadata.deletionTimestamp,
      );
      expect(owners.map(({ metadata }) => metadata.name)).toEqual(['data-db-0']);
    });
  });

  it('OnDelete: update a pod only when somebody deletes it', async () => {
    const cluster = await run({ replicas: 2, updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'Parallel' });
    await cluster.eventually(async () => expect((await cluster.get()).status?.readyReplicas).toBe(2));
    await cluster.client.patch(`${path}/db`, 'merge', { spec: { template: template('v2') } });
    await cluster.eventually(async () => expect((await cluster.get()).status?.observedGeneration).toBe(2));
    await cluster.client.delete('/api/v1/namespaces/default/pods/db-0');
    await cluster.eventually(async () => expect(await images(cluster)).toEqual(['db-0 v2', 'db-1 v1']));
  });
});
