import { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Delays } from '../../delays.ts';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { openCluster, type TestCluster } from '../../testing/open-cluster.ts';
import { sketchPod } from '../testing/pods.ts';
import { PodGc } from './pod-gc.ts';
import { byRemoval } from './unwanted-pods.ts';

const path = '/api/v1/namespaces/default/pods';
const containers = [{ name: 'c', image: 'c' }];
/** Adds a finalizer, so that its last state can be seen. */
const kept = { finalizers: ['example.com/kept'] };

interface Options {
  mostEnded?: number;
  nodesPath?: string;
  /** Awaited before a request of the garbage collector is sent. */
  before?(cluster: TestCluster, request: string): Promise<void>;
}

class NotedDelays extends Delays {
  readonly noted: number[] = [];

  override millis(seconds: number): number {
    this.noted.push(seconds);
    return super.millis(seconds);
  }
}

async function open({
  mostEnded,
  nodesPath = '/api/v1/nodes',
  before,
}: Options = {}): Promise<TestCluster & { delays: NotedDelays }> {
  const cluster = await openCluster();
  const { informers } = cluster.context;
  const nodes = informers!.of<Node>(nodesPath);
  const pods = informers!.of<Pod>('/api/v1/pods');
  await Promise.all([nodes.synced, pods.synced]);
  const { upstream } = cluster.client;
  const held: Pick<Upstream, 'call'> = {
    call: async (call) => {
      await before?.(cluster, `${call.method} ${call.path}`);
      return upstream.call(call);
    },
  };
  const delays = new NotedDelays({ factor: 1000 });
  const context = { ...cluster.context, client: new KubeClient(held as Upstream), delays };
  const gc = new PodGc({ context, nodes, pods, ...(mostEnded === undefined ? {} : { mostEnded }) });
  onTestFinished(async () => {
    await gc[Symbol.asyncDispose]();
    expect(cluster.errors).toEqual([]);
  });
  return { ...cluster, delays };
}

const untilGone = ({ client }: TestCluster, name: string): Promise<void> =>
  vi.waitFor(() => expect(client.get(`${path}/${name}`)).rejects.toMatchObject({ code: 404 }), { timeout: 10_000 });

/** Pods are processed in order: when this one is gone, all earlier ones have been processed. */
async function afterOthers(cluster: TestCluster): Promise<void> {
  await cluster.createPod('last', { nodeName: 'none', containers });
  await untilGone(cluster, 'last');
}

const createNode = ({ client }: TestCluster, name: string, ready: string) =>
  client.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });

it('a pod of a node that is not there fails, and goes', async () => {
  const cluster = await open();
  await cluster.createPod('a', { nodeName: 'none', containers }, kept);
  const pod = await cluster.podThat('a', (one) => one?.metadata.deletionTimestamp !== undefined);
  expect(pod).toMatchObject({
    metadata: { deletionGracePeriodSeconds: 0 },
    status: {
      phase: 'Failed',
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', observedGeneration: 1 }],
    },
  });
  await cluster.createPod('b', { nodeName: 'none', containers });
  await untilGone(cluster, 'b');
});

it('a pod without a node that is being deleted fails: whoever waits for its end can go on', async () => {
  const cluster = await open();
  await cluster.createPod('a', { containers, schedulingGates: [{ name: 'example.com/wait' }] }, kept);
  await cluster.createPod('b', { containers });
  await cluster.client.delete(`${path}/a`);
  const pod = await cluster.podThat('a', (one) => one?.status?.phase === 'Failed');
  expect(pod?.status?.conditions?.map(({ type }) => type) ?? []).not.toContain('DisruptionTarget');
  await cluster.client.patch(`${path}/a`, 'merge', { metadata: { finalizers: null } });
  await untilGone(cluster, 'a');
  expect(await cluster.client.get(`${path}/b`)).toMatchObject({ status: { phase: 'Pending' } });
});

it('a pod that is being deleted goes with a node that is out of service', async () => {
  const cluster = await open();
  await createNode(cluster, 'n1', 'Unknown');
  await createNode(cluster, 'n2', 'True');
  for (const [name, nodeName] of [
    ['a', 'n1'],
    ['b', 'n2'],
  ] as const) {
    await cluster.createPod(name, { nodeName, containers });
    await cluster.client.delete(`${path}/${name}`);
  }
  const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
  for (const name of ['n2', 'n1']) await cluster.client.patch(`/api/v1/nodes/${name}`, 'merge', { spec: { taints } });
  await untilGone(cluster, 'a');
  // Its kubelet will end it.
  expect(await cluster.client.get(`${path}/b`)).toMatchObject({ status: { phase: 'Pending' } });
});

it('keeps so many pods that have ended, without those that were evicted and the oldest', async () => {
  const cluster = await open({ mostEnded: 2 });
  await createNode(cluster, 'n', 'True');
  for (const [name, status] of [
    ['a', { phase: 'Succeeded' }],
    ['b', { phase: 'Running' }],
    ['c', { phase: 'Failed' }],
    ['d', { phase: 'Failed', reason: 'Evicted' }],
  ] as const) {
    await cluster.createPod(name, { nodeName: 'n', containers });
    await cluster.client.patch(`${path}/${name}/status`, 'merge', { status });
  }
  await untilGone(cluster, 'd');
  const { items } = await cluster.client.list<Pod>(path);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  const [old, young] = [
    sketchPod('y', { created: '2026-01-01T00:00:00Z' }),
    sketchPod('x', { created: '2026-01-02T00:00:00Z' }),
  ];
  expect([young, old].sort(byRemoval)).toEqual([old, young]);
});

it('a node that is gone has 40 seconds to come again', async () => {
  const cluster = await open();
  await cluster.createPod('a', { nodeName: 'none', containers });
  await untilGone(cluster, 'a');
  expect(new Set(cluster.delays.noted)).toEqual(new Set([40]));
});

it('the server is asked for a node before its pods go: it may not have come here yet', async () => {
  const cluster = await open({ nodesPath: '/api/v1/nodes?labelSelector=seen' });
  await createNode(cluster, 'unseen', 'True');
  await cluster.createPod('a', { nodeName: 'unseen', containers });
  await afterOthers(cluster);
  const pod = await cluster.client.get<Pod>(`${path}/a`);
  expect(pod.status?.phase).toBe('Pending');
  expect(pod.metadata).not.toHaveProperty('deletionTimestamp');
});

it.each(['GET /api/v1/nodes/none', `DELETE ${path}/a`])(
  'leaves a pod of the same name that came before %s',
  async (at) => {
    let successor: Pod | undefined;
    const cluster = await open({
      async before({ client, createPod }, request) {
        if (successor || request !== at) return;
        await client.delete(`${path}/a`, { gracePeriodSeconds: 0 });
        successor = await createPod('a', { nodeName: 'n', containers });
      },
    });
    await createNode(cluster, 'n', 'True');
    await cluster.createPod('a', { nodeName: 'none', containers });
    await cluster.podThat('a', (one) => one?.spec.nodeName === 'n');
    await afterOthers(cluster);
    expect(await cluster.client.get(`${path}/a`)).toMatchObject({
      metadata: { uid: successor?.metadata.uid, resourceVersion: successor?.metadata.resourceVersion },
      status: { phase: 'Pending' },
    });
  },
);

it('a pod that has ended keeps its status when it goes with its node', async () => {
  const cluster = await open();
  await createNode(cluster, 'n', 'True');
  await cluster.createPod('a', { nodeName: 'n', containers }, kept);
  await cluster.client.patch(`${path}/a/status`, 'merge', { status: { phase: 'Succeeded' } });
  await cluster.podThat('a', (one) => one?.status?.phase === 'Succeeded');
  await cluster.client.delete('/api/v1/nodes/n');
  const pod = await cluster.podThat('a', (one) => one?.metadata.deletionTimestamp !== undefined);
  expect(pod?.status?.phase).toBe('Succeeded');
  expect(pod?.status?.conditions?.map(({ type }) => type) ?? []).not.toContain('DisruptionTarget');
});
