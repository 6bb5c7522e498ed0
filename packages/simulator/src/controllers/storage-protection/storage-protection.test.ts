import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { isStatus, type KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../pods/pod.ts';
import { startTestCluster, type TestCluster } from '../testing/cluster.ts';
import { sketchPod } from '../testing/pods.ts';
import { freedClaims, LivePods, usesClaim } from './claim-protection.ts';

const core = '/api/v1/namespaces/default';
const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses';
const admission = memberAdmission.filter((name) => name !== 'ServiceAccount');

const claimOf = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const podOf = (name: string, claimName: string, nodeName?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    ...(nodeName ? { nodeName } : {}),
    containers: [{ name: 'c', image: 'c' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
});

const volumeOf = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' }, ...spec },
});

const classOf = (name: string) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name },
  driverName: 'd',
  parameters: { iops: '1' },
});

const isGone = async ({ client }: TestCluster, path: string): Promise<boolean> => {
  try {
    await client.get<KubeObject>(path);
    return false;
  } catch (error) {
    if (isStatus(error, 404)) return true;
    throw error;
  }
};

const untilGone = (cluster: TestCluster, path: string): Promise<void> =>
  cluster.eventually(async () => expect(await isGone(cluster, path)).toBe(true));

it('a claim that nothing uses goes when it is deleted', async () => {
  const cluster = await startTestCluster({ admission });
  const created = await cluster.client.create<KubeObject>(`${core}/persistentvolumeclaims`, claimOf('free'));
  expect(created.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  // Without a node it does not count.
  await cluster.client.create(`${core}/pods`, podOf('waiting', 'free'));
  await cluster.client.delete(`${core}/persistentvolumeclaims/free`);
  await untilGone(cluster, `${core}/persistentvolumeclaims/free`);
  expect(cluster.errors).toEqual([]);
});

it('a claim stays as long as a pod with a node uses it, even one that has ended', async () => {
  const cluster = await startTestCluster({ admission, statusOf: () => ({ phase: 'Succeeded' }) });
  const { client } = cluster;
  const claim = `${core}/persistentvolumeclaims/used`;
  await client.create(`${core}/persistentvolumeclaims`, claimOf('used'));
  await client.create(`${core}/persistentvolumeclaims`, claimOf('other'));
  await client.create(`${core}/pods`, podOf('user', 'used', 'n1'));
  await cluster.eventually(async () =>
    expect(await client.get(`${core}/pods/user`)).toMatchObject({ status: { phase: 'Succeeded' } }),
  );
  await client.delete(claim);
  await client.delete(`${core}/persistentvolumeclaims/other`);
  await untilGone(cluster, `${core}/persistentvolumeclaims/other`);
  expect((await client.get<KubeObject>(claim)).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  await client.delete(`${core}/pods/user`);
  await untilGone(cluster, claim);
  expect(cluster.errors).toEqual([]);
});

it('a namespace with claims goes', async () => {
  const cluster = await startTestCluster({ admission });
  await cluster.client.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
  await cluster.client.create('/api/v1/namespaces/n/persistentvolumeclaims', claimOf('data'));
  await cluster.client.delete('/api/v1/namespaces/n');
  await untilGone(cluster, '/api/v1/namespaces/n');
});

it('a namespace of many claims does not take a list of its pods for each', async () => {
  let lists = 0;
  const refuse = (method: string, path: string) => {
    if (method === 'GET' && path.startsWith('/api/v1/namespaces/default/pods?')) lists += 1;
    return undefined;
  };
  const cluster = await startTestCluster({ admission, refuse });
  const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
  for (const name of names) await cluster.client.create(`${core}/persistentvolumeclaims`, claimOf(name));
  await cluster.client.delete(`${core}/persistentvolumeclaims`);
  await cluster.eventually(async () => expect(await cluster.list(`${core}/persistentvolumeclaims`)).toEqual([]));
  expect(lists).toBeGreaterThan(0);
  expect(lists).toBeLessThan(names.length / 2);
});

it('a volume stays while it is bound', async () => {
  const cluster = await startTestCluster({ admission });
  const { client } = cluster;
  for (const name of ['bound', 'free']) await client.create('/api/v1/persistentvolumes', volumeOf(name));
  const path = '/api/v1/persistentvolumes/bound';
  await client.patch(`${path}/status`, 'merge', { status: { phase: 'Bound' } });
  for (const name of ['bound', 'free']) await client.delete(`/api/v1/persistentvolumes/${name}`);
  await untilGone(cluster, '/api/v1/persistentvolumes/free');
  expect(await isGone(cluster, path)).toBe(false);
  await client.patch(`${path}/status`, 'merge', { status: { phase: 'Released' } });
  await untilGone(cluster, path);
});

it('a VolumeAttributesClass stays while a claim names it', async () => {
  const cluster = await startTestCluster({ admission });
  const { client } = cluster;
  for (const name of ['gold', 'lead']) await client.create(classes, classOf(name));
  await client.create(`${core}/persistentvolumeclaims`, claimOf('data', { volumeAttributesClassName: 'gold' }));
  for (const name of ['gold', 'lead']) await client.delete(`${classes}/${name}`);
  await untilGone(cluster, `${classes}/lead`);
  expect(await isGone(cluster, `${classes}/gold`)).toBe(false);
  await client.delete(`${core}/persistentvolumeclaims/data`);
  await untilGone(cluster, `${classes}/gold`);
});

it('a VolumeAttributesClass stays while a volume names it', async () => {
  const cluster = await startTestCluster({ admission });
  const { client } = cluster;
  for (const name of ['gold', 'lead']) await client.create(classes, classOf(name));
  const csi = { driver: 'd', volumeHandle: 'h' };
  const spec = { hostPath: undefined, csi, volumeAttributesClassName: 'gold' };
  await client.create('/api/v1/persistentvolumes', volumeOf('data', spec));
  for (const name of ['gold', 'lead']) await client.delete(`${classes}/${name}`);
  await untilGone(cluster, `${classes}/lead`);
  expect(await isGone(cluster, `${classes}/gold`)).toBe(false);
  await client.delete('/api/v1/persistentvolumes/data');
  await untilGone(cluster, `${classes}/gold`);
  expect(cluster.errors).toEqual([]);
});

it('adds the finalizer to claims and volumes that came before admission did', async () => {
  const cluster = await startTestCluster({ admission: [] });
  const { client } = cluster;
  await client.create(`${core}/persistentvolumeclaims`, claimOf('old'));
  await client.create('/api/v1/persistentvolumes', volumeOf('old'));
  await cluster.eventually(async () => {
    const claim = await client.get<KubeObject>(`${core}/persistentvolumeclaims/old`);
    expect(claim.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    const volume = await client.get<KubeObject>('/api/v1/persistentvolumes/old');
    expect(volume.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
  });
});

it('the claim of an ephemeral volume is used by its own pod alone, until that is shut down', () => {
  const pod = sketchPod('p', { node: 'n' });
  pod.spec.volumes = [{ name: 'data', ephemeral: {} }];
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p', controller: true };
  const claim = { metadata: { name: 'p-data', namespace: 'd', ownerReferences: [owner] } };
  expect(usesClaim(pod, claim)).toBe(true);
  expect(usesClaim(pod, { metadata: { name: 'p-data', namespace: 'd' } })).toBe(false);
  pod.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(usesClaim(pod, claim)).toBe(true);
  pod.metadata.deletionGracePeriodSeconds = 0;
  expect(usesClaim(pod, claim)).toBe(false);
});

const using = (name: string, claimName: string, node?: string): Pod => {
  const pod = sketchPod(name, node ? { node } : {});
  pod.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
  return pod;
};

describe('the pods of a namespace, from the server', () => {
  /** `lists` are the responses, one after the other. */
  function open(...lists: { version: number; pods: Pod[] }[]) {
    const asked: string[] = [];
    const live = new LivePods(async (namespace) => {
      asked.push(namespace);
      const { version, pods } = lists.shift()!;
      return { metadata: { resourceVersion: String(version) }, items: pods };
    });
    return { live, asked };
  }
  const claim = (namespace: string, version: number) => ({
    metadata: { name: 'c', namespace, resourceVersion: String(version) },
  });

  it('a list of before the deletion of a claim is not enough', async () => {
    const { live, asked } = open({ version: 5, pods: [] }, { version: 12, pods: [using('p', 'c', 'n')] });
    expect(await live.use(claim('d', 5))).toBe(false);
    expect(await live.use(claim('d', 4))).toBe(false);
    expect(asked).toEqual(['d']);
    expect(await live.use(claim('d', 10))).toBe(true);
    expect(asked).toEqual(['d', 'd']);
  });

  it('a list of another namespace is not enough', async () => {
    const { live, asked } = open({ version: 50, pods: [] }, { version: 51, pods: [using('p', 'c', 'n')] });
    expect(await live.use(claim('other', 10))).toBe(false);
    expect(await live.use(claim('d', 10))).toBe(true);
    expect(asked).toEqual(['other', 'd']);
  });

  it('a use may be over since the last list', async () => {
    const { live } = open({ version: 50, pods: [using('p', 'c', 'n')] }, { version: 51, pods: [] });
    expect(await live.use(claim('d', 10))).toBe(true);
    expect(await live.use(claim('d', 10))).toBe(false);
  });
});

it('claims are freed by a pod that is gone, replaced, has ended or has no node', () => {
  const running = using('p', 'c', 'n');
  expect(freedClaims(running, undefined)).toEqual([]);
  expect(freedClaims(running, running)).toEqual([]);
  expect(freedClaims(undefined, running)).toEqual(['d/c']);
  const successor = using('p', 'other', 'n');
  successor.metadata.uid = 'another';
  expect(freedClaims(successor, running)).toEqual(['d/c']);
  expect(freedClaims({ ...running, status: { phase: 'Failed' } }, running)).toEqual(['d/c']);
  expect(freedClaims(using('q', 'c'), undefined)).toEqual(['d/c']);
});
