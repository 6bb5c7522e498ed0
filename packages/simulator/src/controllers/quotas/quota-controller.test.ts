import type { ResourceQuota } from '@fleet/apiserver/admission/quota-scopes.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openCluster } from '../../testing/open-cluster.ts';
import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import { startTestCluster, type TestCluster } from '../testing/cluster.ts';
import { startQuotas } from './quota-controller.ts';

const core = '/api/v1/namespaces/default';

const usedNow = async ({ client }: TestCluster) =>
  (await client.get<ResourceQuota & KubeObject>(`${core}/resourcequotas/q`)).status;

const createQuota = ({ client }: TestCluster, hard: Record<string, string>) =>
  client.create(`${core}/resourcequotas`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard },
  });

it('a ReplicationController reports that its pods are beyond a quota, until they are not', async () => {
  const cluster = await startTestCluster({ admission: ['ResourceQuota'] });
  const { client } = cluster;
  await createQuota(cluster, { pods: '2' });
  await cluster.eventually(async () =>
    expect(await usedNow(cluster)).toEqual({ hard: { pods: '2' }, used: { pods: '0' } }),
  );
  const labels = { app: 'web' };
  await client.create(`${core}/replicationcontrollers`, {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: labels,
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c' }] } },
    },
  });
  const path = `${core}/replicationcontrollers/web`;
  await cluster.eventually(async () => {
    const { status } = await client.get<ReplicaSet>(path);
    expect(status?.readyReplicas).toBe(2);
    expect(status?.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }]);
  });
  expect(await usedNow(cluster)).toMatchObject({ used: { pods: '2' } });
  await client.patch(path, 'merge', { spec: { replicas: 1 } });
  await cluster.eventually(async () => {
    expect((await client.get<ReplicaSet>(path)).status).not.toHaveProperty('conditions');
    expect(await usedNow(cluster)).toMatchObject({ used: { pods: '1' } });
  });
});

it('counts what there is, and follows a changed limit', async () => {
  const cluster = await startTestCluster({ admission: ['ResourceQuota'] });
  const { client } = cluster;
  await client.create(`${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
  await createQuota(cluster, { secrets: '2', 'count/pods': '5', 'example.com/unknown': '1' });
  await cluster.eventually(async () => {
    expect((await usedNow(cluster))?.used).toEqual({ secrets: '1', 'count/pods': '0' });
  });
  await client.patch(`${core}/resourcequotas/q`, 'merge', { spec: { hard: { secrets: '7' } } });
  await cluster.eventually(async () => expect((await usedNow(cluster))?.hard).toMatchObject({ secrets: '7' }));
  expect(cluster.errors).toEqual([]);
});

it('counts node ports, storage and what pods request, anew when a pod is made smaller', async () => {
  const cluster = await startTestCluster({ admission: ['ResourceQuota'] });
  const { client } = cluster;
  await client.create(`${core}/services`, {
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  });
  await client.create(`${core}/persistentvolumeclaims`, {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'gold', resources: { requests: { storage: '2Gi' } } },
  });
  const ofClass = 'gold.storageclass.storage.k8s.io/requests.storage';
  const hard = { 'services.nodeports': '5', [ofClass]: '5Gi', 'requests.cpu': '5' };
  await createQuota(cluster, hard);
  const counted = { 'services.nodeports': '1', [ofClass]: '2Gi' };
  await cluster.eventually(async () =>
    expect((await usedNow(cluster))?.used).toEqual({ ...counted, 'requests.cpu': '0' }),
  );
  const containers = (cpu: string) => ({ containers: [{ name: 'c', image: 'c', resources: { requests: { cpu } } }] });
  await client.create(`${core}/pods`, { metadata: { name: 'p' }, spec: containers('3') });
  expect((await usedNow(cluster))?.used).toEqual({ ...counted, 'requests.cpu': '3' });
  await client.patch(`${core}/pods/p/resize`, 'strategic', { spec: containers('1') });
  await cluster.eventually(async () =>
    expect((await usedNow(cluster))?.used).toEqual({ ...counted, 'requests.cpu': '1' }),
  );
  expect(cluster.errors).toEqual([]);
});

it('counts every 30 seconds what it does not follow, and pods every 5 minutes', async () => {
  const { client, context } = await openCluster();
  const { informers, signal, onError } = context;
  const asked: number[] = [];
  // Nothing is due during the test.
  const millis = (seconds: number): number => {
    asked.push(seconds);
    return 3_600_000;
  };
  const quotas = startQuotas({
    client,
    informers: informers!,
    clock: { now: Date.now, millis },
    ready: Promise.resolve(),
    signal,
    onError,
  });
  onTestFinished(() => quotas[Symbol.asyncDispose]());
  const delayOf = async (hard: Record<string, string>): Promise<number> => {
    asked.length = 0;
    await client.create(`${core}/resourcequotas`, { metadata: { generateName: 'q-' }, spec: { hard } });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    return asked[0]!;
  };
  expect(await delayOf({ pods: '5' })).toBe(300);
  expect(await delayOf({ pods: '5', secrets: '5' })).toBe(30);
});

it('counts objects of every kind, custom ones too', async () => {
  const cluster = await startTestCluster({ admission: ['ResourceQuota'] });
  const { client } = cluster;
  await client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'toys.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'toys', kind: 'Toy' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const toys = '/apis/example.com/v1/namespaces/default/toys';
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  const toy = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Toy', metadata: { name } });
  await cluster.eventually(async () => void (await client.create(toys, toy('a'))));
  const names = ['count/roles.rbac.authorization.k8s.io', 'count/toys.example.com', 'count/podtemplates'];
  const hard = Object.fromEntries([...names, 'count/events', 'count/none.example.com'].map((name) => [name, '1']));
  await createQuota(cluster, hard);
  await cluster.eventually(async () =>
    expect((await usedNow(cluster))?.used).toEqual({ [names[0]!]: '0', [names[1]!]: '1', [names[2]!]: '0' }),
  );
  await client.create(roles, { metadata: { name: 'a' } });
  await expect(client.create(roles, { metadata: { name: 'b' } })).rejects.toThrow(
    `roles.rbac.authorization.k8s.io "b" is forbidden: exceeded quota: q, requested: ${names[0]}=1, used: ${names[0]}=1, limited: ${names[0]}=1`,
  );
  await expect(client.create(toys, toy('b'))).rejects.toThrow('toys.example.com "b" is forbidden: exceeded quota: q');
  expect(cluster.errors).toEqual([]);
});
