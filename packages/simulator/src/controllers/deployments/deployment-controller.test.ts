import { timeText } from '@fleet/kube/time-text.ts';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import { startTestCluster, type TestCluster } from '../testing/cluster.ts';
import type { Deployment } from './deployment.ts';

const path = '/apis/apps/v1/namespaces/default/deployments';

const web = (spec: Partial<Deployment['spec']> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: template('v1'),
    ...spec,
  },
});

const template = (image: string): Deployment['spec']['template'] => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image,
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
});

const isThrough = async ({ client }: TestCluster, revision: string): Promise<Deployment> => {
  const deployment = await client.get<Deployment>(`${path}/web`);
  const { status, metadata } = deployment;
  expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe(revision);
  expect(status?.observedGeneration).toBe(metadata.generation);
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Progressing', reason: 'NewReplicaSetAvailable', status: 'True' }),
  );
  expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 });
  expect(status).not.toHaveProperty('unavailableReplicas');
  return deployment;
};

const setsOf = async ({ list }: TestCluster): Promise<ReplicaSet[]> =>
  (await list<ReplicaSet>('/apis/apps/v1/replicasets')).sort((left, right) => revision(left) - revision(right));

const revision = ({ metadata }: ReplicaSet): number =>
  Number(metadata.annotations?.['deployment.kubernetes.io/revision']);

const eventOrder = async (cluster: TestCluster, count: number): Promise<string[]> => {
  let events: string[] = [];
  await cluster.eventually(async () => {
    events = await cluster.events('web');
    expect(events.length).toBeGreaterThanOrEqual(count);
  });
  return events;
};

describe('Deployments', () => {
  it('make a ReplicaSet and its pods, with the status, annotations and Events of Kubernetes', async () => {
    const cluster = await startTestCluster();
    await cluster.client.create(path, web());
    await cluster.eventually(async () => void (await isThrough(cluster, '1')));
    const [set] = await setsOf(cluster);
    const hash = set!.metadata.labels!['pod-template-hash'];
    expect(set).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: {
          'deployment.kubernetes.io/revision': '1',
          'deployment.kubernetes.io/desired-replicas': '3',
          'deployment.kubernetes.io/max-replicas': '4',
        },
        ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true, blockOwnerDeletion: true }],
      },
      spec: { replicas: 3, selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } } },
      status: { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 },
    });
    const pods = await cluster.list<Pod>('/api/v1/pods');
    expect(pods).toHaveLength(3);
    expect(pods[0]!.metadata).toMatchObject({
      generateName: `web-${hash}-`,
      labels: { app: 'web', 'pod-template-hash': hash },
    });
    expect(await eventOrder(cluster, 1)).toEqual([
      `Normal ScalingReplicaSet Scaled up replica set web-${hash} from 0 to 3`,
    ]);
    const recorded = await cluster.events(set!.metadata.name);
    expect(recorded.toSorted()).toEqual(
      pods.map(({ metadata }) => `Normal SuccessfulCreate Created pod: ${metadata.name}`).sort(),
    );
    expect(cluster.errors).toEqual([]);
  });

  it('roll a new template out step by step, and back to an earlier one', async () => {
    const cluster = await startTestCluster();
    const { client } = cluster;
    await client.create(path, web());
    await cluster.eventually(async () => void (await isThrough(cluster, '1')));
    await client.patch(`${path}/web`, 'merge', { spec: { template: template('v2') } });
    await cluster.eventually(async () => void (await isThrough(cluster, '2')));
    const [first, second] = await setsOf(cluster);
    const [one, two] = [first!.metadata.name, second!.metadata.name];
    expect([first!.spec.replicas, second!.spec.replicas]).toEqual([0, 3]);
    expect(await eventOrder(cluster, 7)).toEqual(
      [
        `up replica set ${one} from 0 to 3`,
        `up replica set ${two} from 0 to 1`,
        `down replica set ${one} from 3 to 2`,
        `up replica set ${two} from 1 to 2`,
        `down replica set ${one} from 2 to 1`,
        `up replica set ${two} from 2 to 3`,
        `down replica set ${one} from 1 to 0`,
      ].map((message) => `Normal ScalingReplicaSet Scaled ${message}`),
    );
    await client.patch(`${path}/web`, 'merge', { spec: { template: template('v1') } });
    await cluster.eventually(async () => void (await isThrough(cluster, '3')));
    const [, again] = await setsOf(cluster);
    expect(again!.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
    expect(cluster.errors).toEqual([]);
  });

  it('scale, and keep no more old ReplicaSets than the history limit', async () => {
    const cluster = await startTestCluster();
    const { client } = cluster;
    await client.create(path, web({ revisionHistoryLimit: 1, replicas: 1 }));
    for (const image of ['v2', 'v3', 'v4']) {
      await cluster.eventually(async () => {
        const { status, metadata } = await client.get<Deployment>(`${path}/web`);
        expect(status).toMatchObject({ observedGeneration: metadata.generation, replicas: 1, updatedReplicas: 1 });
        expect(status?.availableReplicas).toBe(1);
      });
      await client.patch(`${path}/web`, 'merge', { spec: { template: template(image) } });
    }
    await client.patch(`${path}/web`, 'merge', { spec: { replicas: 3 } });
    await cluster.eventually(async () => void (await isThrough(cluster, '4')));
    await cluster.eventually(async () => expect(await setsOf(cluster)).toHaveLength(2));
    expect((await setsOf(cluster)).map(revision)).toEqual([3, 4]);
  });

  it('recreate: all old pods are gone before the first new one', async () => {
    const cluster = await startTestCluster();
    const { client } = cluster;
    await client.create(path, web({ strategy: { type: 'Recreate' } }));
    await cluster.eventually(async () => void (await isThrough(cluster, '1')));
    await client.patch(`${path}/web`, 'merge', { spec: { template: template('v2') } });
    await cluster.eventually(async () => void (await isThrough(cluster, '2')));
    const [first, second] = await setsOf(cluster);
    expect(await eventOrder(cluster, 3)).toEqual(
      [
        `up replica set ${first!.metadata.name} from 0 to 3`,
        `down replica set ${first!.metadata.name} from 3 to 0`,
        `up replica set ${second!.metadata.name} from 0 to 3`,
      ].map((message) => `Normal ScalingReplicaSet Scaled ${message}`),
    );
  });

  it('do nothing while they are paused but scale, and go on when they are resumed', async () => {
    const cluster = await startTestCluster();
    const { client } = cluster;
    await client.create(path, web({ replicas: 2 }));
    await cluster.eventually(async () => {
      const { status } = await client.get<Deployment>(`${path}/web`);
      expect(status?.availableReplicas).toBe(2);
    });
    await client.patch(`${path}/web`, 'merge', { spec: { paused: true, replicas: 3, template: template('v2') } });
    await cluster.eventually(async () => {
      const { status } = await client.get<Deployment>(`${path}/web`);
      expect(status).toMatchObject({ availableReplicas: 3, observedGeneration: 2 });
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' }),
      );
      expect(status).not.toHaveProperty('updatedReplicas');
    });
    await client.patch(`${path}/web`, 'merge', { spec: { paused: false } });
    await cluster.eventually(async () => void (await isThrough(cluster, '2')));
  });

  it('report a rollout that makes no progress before its deadline', async () => {
    const cluster = await startTestCluster({ statusOf: () => undefined, factor: 20 });
    await cluster.client.create(path, web({ progressDeadlineSeconds: 20 }));
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<Deployment>(`${path}/web`);
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({
          type: 'Progressing',
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: expect.stringMatching(/^ReplicaSet "web-\w+" has timed out progressing\.$/),
        }),
      );
      expect(status?.unavailableReplicas).toBe(3);
    });
  });

  it('wait for minReadySeconds', async () => {
    const ago = timeText(Date.now() - 3_600_000);
    const cluster = await startTestCluster({
      statusOf: () => ({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago }] }),
    });
    await cluster.client.create(path, web({ minReadySeconds: 60 }));
    await cluster.eventually(async () => void (await isThrough(cluster, '1')));
  });
});
