import type { KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sketchPod } from '../controllers/testing/pods.ts';
import type { Pod } from '../pods/pod.ts';
import { openCluster } from '../testing/open-cluster.ts';
import { claimRefusal } from './claim-refusal.ts';
import { startScheduler } from './scheduler.ts';

async function open(nodes: Record<string, object>) {
  const cluster = await openCluster();
  for (const name of Object.keys(nodes)) await addNode(cluster.client, name, nodes[name]!);
  const scheduler = await startScheduler(cluster.context);
  onTestFinished(async () => {
    await scheduler[Symbol.asyncDispose]();
    expect(cluster.errors).toEqual([]);
  });
  return { ...cluster, scheduler };
}

async function addNode(client: Awaited<ReturnType<typeof openCluster>>['client'], name: string, spec: object) {
  const status = { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } };
  await client.create('/api/v1/nodes', { metadata: { name }, spec });
  await client.patch(`/api/v1/nodes/${name}/status`, 'merge', { status });
  await client.patch(`/api/v1/nodes/${name}`, 'merge', { spec: { taints: null } });
}

const asking = (cpu: string, more: object = {}) => ({
  containers: [{ name: 'c', image: 'pause', resources: { requests: { cpu } } }],
  ...more,
});
const isBound = (pod: Pod | undefined): boolean => Boolean(pod?.spec.nodeName);
const condition = (pod: Pod | undefined) => pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');

it('binds a pod, and reports it', async () => {
  const { createPod, podThat, eventsOf } = await open({ a: {} });
  await createPod('p', asking('100m'));
  const pod = await podThat('p', isBound);
  expect(pod?.spec.nodeName).toBe('a');
  await vi.waitFor(async () =>
    expect(await eventsOf('p')).toEqual(['Normal Scheduled Successfully assigned default/p to a']),
  );
});

it('counts what it has bound before the API server reports it', async () => {
  const { createPod, podThat } = await open({ a: {}, b: {} });
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => createPod(name, asking('250m'))));
  const pods = await Promise.all(names.map((name) => podThat(name, isBound)));
  expect(pods.filter((pod) => pod?.spec.nodeName === 'a')).toHaveLength(4);
});

it('reports why a pod fits nowhere, and binds it once another one has left', async () => {
  const { createPod, podThat, client, eventsOf } = await open({ a: {} });
  await createPod('first', asking('800m'));
  await podThat('first', isBound);
  await createPod('second', asking('800m'));
  const waiting = await podThat('second', (pod) => condition(pod) !== undefined);
  const message =
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
  expect(condition(waiting)).toMatchObject({ status: 'False', reason: 'Unschedulable', message });
  expect(waiting?.status?.phase).toBe('Pending');
  await client.delete('/api/v1/namespaces/default/pods/first', { gracePeriodSeconds: 0 });
  expect((await podThat('second', isBound))?.spec.nodeName).toBe('a');
  await vi.waitFor(async () => expect(await eventsOf('second')).toHaveLength(2));
  expect(await eventsOf('second')).toEqual([
    `Warning FailedScheduling ${message}`,
    'Normal Scheduled Successfully assigned default/second to a',
  ]);
});

it('tries again when a node is uncordoned, or comes', async () => {
  const { createPod, podThat, client } = await open({ a: { unschedulable: true } });
  await createPod('p', asking('100m'));
  await createPod('q', asking('100m', { nodeSelector: { new: 'yes' } }));
  await podThat('p', (pod) => condition(pod)?.message?.includes('1 node(s) were unschedulable') ?? false);
  await podThat('q', (pod) => condition(pod) !== undefined);
  await client.patch('/api/v1/nodes/a', 'merge', { spec: { unschedulable: null } });
  await podThat('p', isBound);
  await addNode(client, 'b', {});
  await client.patch('/api/v1/nodes/b', 'merge', { metadata: { labels: { new: 'yes' } } });
  expect((await podThat('q', isBound))?.spec.nodeName).toBe('b');
});

it('leaves alone what has gates or another scheduler', async () => {
  const { createPod, podThat, client, scheduler } = await open({ a: {} });
  await createPod('gated', asking('1m', { schedulingGates: [{ name: 'example.com/wait' }] }));
  await createPod('other', asking('1m', { schedulerName: 'mine' }));
  await createPod('plain', asking('1m'));
  await podThat('plain', isBound);
  await scheduler.idle;
  const { items } = await client.list<Pod>('/api/v1/pods');
  expect(items.filter(isBound).map(({ metadata }) => metadata.name)).toEqual(['plain']);
  await client.patch('/api/v1/namespaces/default/pods/gated', 'merge', { spec: { schedulingGates: [] } });
  await podThat('gated', isBound);
});

it('counts what a pod asks for after it was resized', async () => {
  const { createPod, podThat, client } = await open({ a: {} });
  await createPod('first', asking('800m'));
  await podThat('first', isBound);
  await createPod('second', asking('500m'));
  await podThat('second', (pod) => condition(pod)?.status === 'False');
  const spec = { containers: [{ name: 'c', resources: { requests: { cpu: '200m' } } }] };
  await client.patch('/api/v1/namespaces/default/pods/first/resize', 'strategic', { spec });
  await podThat('second', isBound);
});

describe('claims', () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const claimOf = (name: string, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const withClaims = (...names: string[]) =>
    asking('1m', { volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) });

  it('a pod waits for claims that are not there, and is bound when they have come', async () => {
    const { createPod, podThat, client, eventsOf } = await open({ a: {} });
    await createPod('p', withClaims('data', 'logs'));
    const message = (name: string) => `0/1 nodes are available: persistentvolumeclaim "${name}" not found. not found`;
    const waiting = await podThat('p', (pod) => condition(pod) !== undefined);
    expect(condition(waiting)).toMatchObject({ status: 'False', reason: 'Unschedulable', message: message('data') });
    expect(waiting?.status?.phase).toBe('Pending');
    await client.create(claims, claimOf('data'));
    await podThat('p', (pod) => condition(pod)?.message === message('logs'));
    await client.create(claims, claimOf('logs'));
    await podThat('p', isBound);
    await vi.waitFor(async () =>
      expect(await eventsOf('p')).toEqual([
        `Warning FailedScheduling ${message('data')}`,
        'Normal Scheduled Successfully assigned default/p to a',
      ]),
    );
  });

  it('a pod whose claim is being deleted waits for the next one', async () => {
    const { createPod, podThat, client, context } = await open({ a: {} });
    await client.create(claims, claimOf('data', { finalizers: ['example.com/kept'] }));
    await client.delete(`${claims}/data`);
    const known = context.informers!.of('/api/v1/persistentvolumeclaims');
    await vi.waitFor(() => expect(known.get('default/data')?.metadata.deletionTimestamp).toBeDefined());
    await createPod('p', withClaims('data'));
    const waiting = await podThat('p', (pod) => condition(pod) !== undefined);
    const message = '0/1 nodes are available: persistentvolumeclaim "data" is being deleted. not found';
    expect(condition(waiting)).toMatchObject({ status: 'False', reason: 'Unschedulable', message });
    await client.patch(`${claims}/data`, 'merge', { metadata: { finalizers: null } });
    await client.create(claims, claimOf('data'));
    await podThat('p', isBound);
  });

  it('every claim is looked for before any is looked at', () => {
    const pod = sketchPod('p');
    pod.spec.volumes = ['going', 'missing'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    const going = { metadata: { name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const known = new Map<string, KubeObject>([['d/going', going]]);
    const why = () => claimRefusal(pod, (key) => known.get(key));
    expect(why()).toBe('persistentvolumeclaim "missing" not found');
    known.set('d/missing', { metadata: { name: 'missing' } });
    expect(why()).toBe('persistentvolumeclaim "going" is being deleted');
    pod.spec.volumes = [{ name: 'data', ephemeral: {} }];
    expect(why()).toBeUndefined();
  });
});
