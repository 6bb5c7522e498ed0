import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { readyStatus, startTestCluster, type TestCluster } from '../testing/cluster.ts';
import { type DaemonSet, nodeOf } from './daemon-set.ts';

const path = '/apis/apps/v1/namespaces/default/daemonsets';

const template = (image: string): DaemonSet['spec']['template'] => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'agent', image }], nodeSelector: { disk: 'ssd' } },
});

const agent = (rollingUpdate: object): DaemonSet => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate },
    template: template('v1'),
  },
});

const node = (name: string, disk: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { disk } },
});

/** Admission taints new nodes until they are ready. */
async function addNode({ client }: TestCluster, name: string, disk: string, spec: object = {}): Promise<void> {
  await client.create('/api/v1/nodes', node(name, disk));
  await client.patch(`/api/v1/nodes/${name}`, 'merge', { spec: { taints: null, ...spec } });
}

async function run(rollingUpdate: object): Promise<TestCluster & { get(): Promise<DaemonSet> }> {
  const cluster = await startTestCluster();
  const cordoned = { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }], unschedulable: true };
  await addNode(cluster, 'a', 'ssd');
  await addNode(cluster, 'b', 'ssd', cordoned);
  await addNode(cluster, 'c', 'hdd');
  await addNode(cluster, 'd', 'ssd', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
  await cluster.client.create(path, agent(rollingUpdate));
  return { ...cluster, get: () => cluster.client.get<DaemonSet>(`${path}/agent`) };
}

const podsOf = async ({ list }: TestCluster): Promise<string[]> =>
  (await list<Pod>('/api/v1/pods')).map((pod) => `${nodeOf(pod)} ${pod.spec.containers[0]!['image']}`).sort();

/** As the scheduler does: a change of a node affects a set through the pods that are bound to it. */
async function bindAll({ client, list }: TestCluster): Promise<void> {
  for (const pod of await list<Pod>('/api/v1/pods')) {
    const { name } = pod.metadata;
    const target = { kind: 'Node', name: nodeOf(pod) };
    await client.create(`/api/v1/namespaces/default/pods/${name}/binding`, { metadata: { name }, target });
  }
}

describe('DaemonSets', () => {
  it('run one pod on each node that its selector and taints allow, cordoned ones too', async () => {
    const cluster = await run({ maxUnavailable: 1, maxSurge: 0 });
    await cluster.eventually(async () =>
      expect((await cluster.get()).status).toEqual({
        currentNumberScheduled: 2,
        numberMisscheduled: 0,
        desiredNumberScheduled: 2,
        numberReady: 2,
        observedGeneration: 1,
        updatedNumberScheduled: 2,
        numberAvailable: 2,
      }),
    );
    expect(await podsOf(cluster)).toEqual(['a v1', 'b v1']);
    const [pod] = await cluster.list<Pod>('/api/v1/pods');
    expect(pod!.spec.affinity).toMatchObject({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In' }] }],
        },
      },
    });
    expect(pod!.spec.tolerations).toContainEqual({
      key: 'node.kubernetes.io/unschedulable',
      operator: 'Exists',
      effect: 'NoSchedule',
    });
    await cluster.client.patch('/api/v1/nodes/c', 'merge', { metadata: { labels: { disk: 'ssd' } } });
    await cluster.eventually(async () => expect(await podsOf(cluster)).toEqual(['a v1', 'b v1', 'c v1']));
    await bindAll(cluster);
    await cluster.client.patch('/api/v1/nodes/a', 'merge', { metadata: { labels: { disk: 'hdd' } } });
    await cluster.eventually(async () => expect(await podsOf(cluster)).toEqual(['b v1', 'c v1']));
    expect(cluster.errors).toEqual([]);
  });

  it('count a pod as before where a taint only keeps new ones away, until they are looked at again', async () => {
    const cluster = await run({ maxUnavailable: 1, maxSurge: 0 });
    await cluster.eventually(async () => expect((await cluster.get()).status?.numberAvailable).toBe(2));
    await bindAll(cluster);
    await cluster.client.patch('/api/v1/nodes/a', 'merge', {
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
    // Another set, created afterwards, sees the taint.
    const other = agent({ maxUnavailable: 1 });
    await cluster.client.create(path, { ...other, metadata: { ...other.metadata, name: 'other' } });
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<DaemonSet>(`${path}/other`);
      expect(status).toMatchObject({ desiredNumberScheduled: 1 });
    });
    expect((await cluster.get()).status).toMatchObject({ desiredNumberScheduled: 2, numberMisscheduled: 0 });
    await cluster.client.patch(`${path}/agent`, 'merge', { metadata: { labels: { looked: 'at' } } });
    await cluster.eventually(async () =>
      expect((await cluster.get()).status).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 1 }),
    );
  });

  it.each([
    ['one after the other', { maxUnavailable: 1, maxSurge: 0 }],
    ['with new pods beside the old ones', { maxUnavailable: 0, maxSurge: 1 }],
  ])('roll a new template out %s', async (_, rollingUpdate) => {
    const cluster = await run(rollingUpdate);
    await cluster.eventually(async () => expect((await cluster.get()).status?.numberAvailable).toBe(2));
    await cluster.client.patch(`${path}/agent`, 'merge', { spec: { template: template('v2') } });
    await cluster.eventually(async () => {
      expect((await cluster.get()).status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2 });
      expect(await podsOf(cluster)).toEqual(['a v2', 'b v2']);
    });
    const revisions = await cluster.list<{ metadata: { name: string }; revision: number }>(
      '/apis/apps/v1/controllerrevisions',
    );
    expect(revisions.map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });

  it('replace pods that failed', async () => {
    let isBroken = true;
    const cluster = await startTestCluster({
      factor: 100,
      statusOf: () => {
        const status = isBroken ? { phase: 'Failed' } : readyStatus();
        isBroken = false;
        return status;
      },
    });
    await addNode(cluster, 'a', 'ssd');
    await cluster.client.create(path, agent({ maxUnavailable: 1 }));
    await cluster.eventually(async () => {
      const { status } = await cluster.client.get<DaemonSet>(`${path}/agent`);
      expect(status?.numberAvailable).toBe(1);
    });
    expect(await cluster.events('agent')).toContainEqual(
      expect.stringMatching(
        /^Warning FailedDaemonPod Found failed daemon pod default\/agent-\w+ on node a, will try to kill it$/,
      ),
    );
  });
});
