import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { parseQuantity } from '@fleet/kube/quantity.ts';
import { notFound } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import type { Container, Pod, StoredPod } from '../pods/pod.ts';
import { runningPod, TestClock } from '../testing/pods.ts';
import { metricsResources } from './metrics-resources.ts';

const resources = { requests: { cpu: '500m', memory: '256Mi' }, limits: { cpu: '600m', memory: '256Mi' } };

const podOf = (number: number, container: Partial<Container> = { resources }): StoredPod => {
  const pod = runningPod(container);
  pod.metadata = { ...pod.metadata, name: `web-${number}`, uid: `uid-${number}` };
  pod.spec.nodeName = `node-${number % 2}`;
  return pod;
};

const node = (name: string, ready = 'True'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

const objects: Record<string, KubeObject[]> = {
  pods: Array.from({ length: 20 }, (_, number) => podOf(number)),
  nodes: [node('node-0'), node('node-1'), node('node-2', 'Unknown')],
};

/** Supports paths of lists and of objects, and one field selector. */
const client = {
  async list(path: string) {
    const [place, query = ''] = path.split('?');
    const onNode = query.split('%3D')[1];
    const items = objects[place!.split('/').at(-1)!]!;
    return { items: items.filter(({ spec }) => !onNode || (spec as Pod['spec']).nodeName === onNode) };
  },
  async get(path: string) {
    const [resource, name] = path.split('/').slice(-2) as [string, string];
    const found = objects[resource]!.find(({ metadata }) => metadata.name === name);
    if (!found) throw notFound({ group: '', resource }, name);
    return found;
  },
} as unknown as KubeClient;

const onError = (error: unknown) => {
  throw error;
};

const open = (now = '2026-11-17T12:10:00Z') => {
  const [nodes, pods] = metricsResources({ name: 'here', client: () => client, clock: new TestClock(now), onError });
  return { nodes: nodes!, pods: pods! };
};

const cpuOf = ({ usage }: { usage: { cpu: string } }) => parseQuantity(usage.cpu).nano;
const memoryOf = ({ usage }: { usage: { memory: string } }) => parseQuantity(usage.memory).nano;
const containersOf = (object: KubeObject) =>
  object['containers'] as { name: string; usage: { cpu: string; memory: string } }[];

test('metrics of a pod are of its containers, in the units of metrics-server', async () => {
  const metrics = await open().pods.get('web-1', 'default');
  expect(metrics).toMatchObject({
    kind: 'PodMetrics',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {
      name: 'web-1',
      namespace: 'default',
      creationTimestamp: '2026-11-17T12:10:00Z',
      labels: { app: 'web' },
    },
    timestamp: '2026-11-17T12:10:00Z',
    window: '15s',
  });
  expect(containersOf(metrics)).toEqual([
    { name: 'app', usage: { cpu: expect.stringMatching(/^\d+[num]$/), memory: expect.stringMatching(/^\d+[KM]i$/) } },
  ]);
});

test('numbers stay within limits, near requests, move with time and are the same again', async () => {
  const seen = new Set<bigint>();
  for (let minute = 10; minute < 60; minute += 1) {
    const at = `2026-11-17T12:${minute}:00Z`;
    const [metrics] = await open(at).pods.list('default');
    const [container] = containersOf(metrics!);
    expect(cpuOf(container!)).toBeGreaterThan(50_000_000n);
    expect(cpuOf(container!)).toBeLessThan(600_000_000n);
    expect(memoryOf(container!)).toBeLessThan(parseQuantity('256Mi').nano);
    seen.add(cpuOf(container!));
    expect((await open(at).pods.list('default'))[0]).toEqual(metrics);
  }
  expect(seen.size).toBeGreaterThan(45);
});

test('a node uses what its pods use, whether it is read alone or in a list', async () => {
  const { nodes, pods } = open();
  const all = await pods.list(undefined);
  for (const metrics of await nodes.list(undefined)) {
    const name = metrics.metadata.name!;
    const own = all.filter((pod) => Number(pod.metadata.name!.split('-')[1]) % 2 === Number(name.split('-')[1]));
    const sum = (of: typeof cpuOf | typeof memoryOf) =>
      own.flatMap(containersOf).reduce((total, one) => total + of(one), 0n);
    const usage = { usage: metrics['usage'] as { cpu: string; memory: string } };
    expect(cpuOf(usage)).toBe(sum(cpuOf));
    expect(memoryOf(usage)).toBe(sum(memoryOf));
    expect(await nodes.get(name, undefined)).toEqual(metrics);
  }
});

test('what does not run has no metrics, nor has a node that does not report', async () => {
  const { nodes, pods } = open();
  expect((await nodes.list(undefined)).map(({ metadata }) => metadata.name)).toEqual(['node-0', 'node-1']);
  await expect(nodes.get('node-2', undefined)).rejects.toThrow('nodes.metrics.k8s.io "node-2" not found');
  await expect(pods.get('web-99', 'default')).rejects.toThrow('pods "web-99" not found');
  objects['pods']!.push({ ...podOf(21), status: { phase: 'Pending' } });
  await expect(pods.get('web-21', 'default')).rejects.toThrow('pods.metrics.k8s.io "default/web-21" not found');
  expect(await pods.list(undefined)).toHaveLength(20);
});

test('the columns are those of metrics-server', async () => {
  const { nodes, pods } = open();
  expect(nodes.kind.columns.map(({ name }) => name)).toEqual(['Name', 'cpu', 'memory', 'Window']);
  const object = await pods.get('web-1', 'default');
  const { usage } = containersOf(object)[0]!;
  expect(pods.kind.columns.map(({ cell }) => cell(object, 0))).toEqual(['web-1', usage.cpu, usage.memory, '15s']);
});
