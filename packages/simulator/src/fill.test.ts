import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it, vi } from 'vitest';
import { inert } from './fill.ts';
import { startCluster } from './start-cluster.ts';

const pods = '/api/v1/namespaces/load/pods';

it('pods that a cluster is filled with go when they are deleted, and more come behind them', async () => {
  const errors: unknown[] = [];
  await using cluster = await startCluster({ name: 'member1', onError: (error) => errors.push(error) });
  const names = async () => (await cluster.client.list<KubeObject>(pods)).items.map(({ metadata }) => metadata.name);
  await cluster.fill(3);
  await cluster.client.delete(`${pods}/load-000000`);
  expect(await names()).toEqual(['load-000001', 'load-000002']);
  await cluster.fill(2);
  expect(await names()).toEqual(['load-000001', 'load-000002', 'load-000003', 'load-000004']);
  await cluster.client.delete(pods);
  expect(await names()).toEqual([]);
  await cluster.fill(1);
  expect(await names()).toEqual(['load-000000']);
  expect(errors).toEqual([]);
});

it('their label exempts no pod from a quota', async () => {
  const errors: unknown[] = [];
  await using cluster = await startCluster({ name: 'member1', onError: (error) => errors.push(error) });
  const core = '/api/v1/namespaces/default';
  const used = async () =>
    (await cluster.client.get<{ status?: { used?: object } }>(`${core}/resourcequotas/q`)).status?.used;
  await cluster.client.create(`${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '5' } } });
  await vi.waitFor(async () => expect(await used()).toEqual({ pods: '0' }), { timeout: 10_000 });
  const create = (name: string, labels: object) =>
    cluster.client.create(`${core}/pods`, {
      metadata: { name, labels },
      spec: { containers: [{ name: 'c', image: 'c' }], terminationGracePeriodSeconds: 0 },
    });
  await vi.waitFor(() => create('a', {}), { timeout: 10_000 });
  await create('b', { [inert]: 'true' });
  expect(await used()).toEqual({ pods: '2' });
  // The deletion of a pod makes the controller recount.
  await cluster.client.delete(`${core}/pods/a`);
  await vi.waitFor(async () => expect(await used()).toEqual({ pods: '1' }), { timeout: 10_000 });
  expect(errors).toEqual([]);
});

it('counts what is there, beside pods of others with similar names', async () => {
  await using cluster = await startCluster({ name: 'member1', onError: () => {} });
  const others = ['load-000000-a', 'load-000001x', 'load-1', 'load-xyz', 'zebra'];
  expect(await cluster.filled()).toBe(0);
  await cluster.fill(2);
  for (const name of others) {
    const pod = { metadata: { name }, spec: { containers: [{ name: 'own', image: 'own:1' }] } };
    await cluster.client.create(pods, pod);
  }
  expect(await cluster.filled()).toBe(2);
  await cluster.fill(2);
  await cluster.fill(1);
  expect(await cluster.filled()).toBe(5);
  const { items } = await cluster.client.list<KubeObject>(pods);
  const names = items.map(({ metadata }) => metadata.name).filter((name) => !others.includes(name));
  expect(names).toEqual(['load-000000', 'load-000001', 'load-000002', 'load-000003', 'load-000004']);
});

it('ends between two batches when it is aborted', async () => {
  await using cluster = await startCluster({ name: 'member1', onError: () => {} });
  const interrupted = new AbortController();
  const made: number[] = [];
  const onMade = (count: number) => {
    made.push(count);
    interrupted.abort(new Error('enough'));
  };
  await expect(cluster.fill(5_000, { signal: interrupted.signal, onMade })).rejects.toThrow('enough');
  expect(made).toEqual([500]);
  expect(await cluster.filled()).toBe(500);
});
