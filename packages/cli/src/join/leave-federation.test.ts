import { federationLeasePath } from '@fleet/server/federation-leftovers.ts';
import { describe, expect, test } from 'vitest';
import { type Cluster, clustersPath } from '../cluster.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { join } from './join.ts';
import { kindsIn } from './kinds.ts';
import { leaveFederation } from './leave-federation.ts';
import type { Manifest } from './manifest.ts';
import { unjoin } from './unjoin.ts';

const quiet = () => new Progress({ write: () => {} });
const { signal } = new AbortController();
const url = 'https://member1:6443';
const path = `${clustersPath}/member1`;
const work = '/apis/work.karmada.io/v1alpha1/namespaces/karmada-es-member1/works/web-1';
const binding = '/apis/work.karmada.io/v1alpha2/resourcebindings/web-deployment';
const finalizers = ['karmada.io/execution-controller'];

const request = { name: 'member1', endpoint: { url, tls: {} }, bindAdmins: true, readyWithin: 1000, ...kindsIn({}) };

/** A fleet that federation has put a Deployment into member1 of. */
async function federated() {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  const clients = { member: member.client(), controlPlane: controlPlane.client() };
  await join(request, { ...clients, progress: quiet(), signal });
  const store = (at: string, object: object) => controlPlane.objects.set(at, object as Manifest);
  const cluster = () => controlPlane.objects.get(path) as unknown as Cluster & Manifest;
  cluster().metadata.finalizers = ['karmada.io/cluster-controller'];
  const lead = () => {
    const spec = { holderIdentity: 'a', renewTime: new Date().toISOString() };
    store(federationLeasePath, { metadata: { name: 'fleet-federation' }, spec });
  };
  lead();
  const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } };
  const metadata = { name: 'web-1', namespace: 'karmada-es-member1', resourceVersion: '1', finalizers };
  store(work, { metadata, spec: { workload: { manifests: [manifest] } } });
  store(binding, { metadata: { name: 'web-deployment' }, spec: { clusters: [{ name: 'member1' }] } });
  member.requests.length = 0;
  controlPlane.requests.length = 0;
  let output = '';
  const progress = new Progress({ write: (text) => (output += text) }, {});
  const leave = (force = false) =>
    unjoin(
      { name: 'member1', force },
      { ...clients, member: { by: 'kubeconfig', client: clients.member, url }, progress },
    );
  /** What the server does with each request, before it is answered. */
  const onRequest = (call: (request: string) => void) => {
    controlPlane.silent = (request) => {
      call(request);
      return false;
    };
  };
  return { member, controlPlane, clients, cluster, leave, onRequest, output: () => output };
}

const isMarked = (cluster: Cluster) => cluster.metadata.annotations?.['fleet.karmada.io/leaving'] === 'true';
const unready = [{ type: 'Ready', status: 'False', message: 'cannot be reached (timeout)' }];

describe('CLU-2, FED-9: unjoin where federation has objects in the member', () => {
  test('they go first, then the accounts, then the Cluster', async () => {
    const { member, controlPlane, cluster, leave, onRequest, output } = await federated();
    let writesBefore: number | undefined;
    onRequest((request) => {
      if (request !== `GET ${path}` || !controlPlane.objects.has(path) || !isMarked(cluster())) return;
      if (controlPlane.objects.delete(work)) writesBefore = member.writes.length;
      else controlPlane.objects.delete(binding);
    });
    await leave();
    expect(writesBefore).toBe(0);
    expect(member.paths).toEqual([]);
    expect(controlPlane.objects.has(path)).toBe(false);
    expect(output()).toMatch(
      /✓ Remove what federation has put into member1: 1 object removed or released\n.*✓ Remove the namespace.*\n.*✓ Remove the cluster/,
    );
  });

  test('what it waits for is named, and so is the way on and back', async () => {
    const { clients } = await federated();
    const reported: string[] = [];
    const left = '1 object (Deployment shop/web) and 1 binding left';
    await expect(
      leaveFederation(clients.controlPlane, 'member1', (text) => reported.push(text), 0),
    ).rejects.toMatchObject({
      message: `${left}, and nothing more goes`,
      hint: expect.stringMatching(/--force.*fleet join member1/),
    });
    expect(reported[0]).toBe(left);
  });

  test('a member that is not ready stays as it is: nothing would be removed there', async () => {
    const { member, controlPlane, cluster, leave } = await federated();
    (cluster().status as { conditions: unknown }).conditions = unready;
    await expect(leave()).rejects.toMatchObject({
      message: expect.stringContaining('it cannot be reached (timeout)'),
      hint: expect.stringContaining('--force'),
    });
    expect([...member.writes, ...controlPlane.writes]).toEqual([]);
  });

  test('by force it leaves all the same, and what is left is dropped', async () => {
    const { controlPlane, cluster, leave, onRequest, output } = await federated();
    (cluster().status as { conditions: unknown }).conditions = unready;
    controlPlane.stuck.add(path);
    let wasDropped = false;
    onRequest((request) => {
      const held = controlPlane.objects.get(work);
      if (request === `DELETE ${path}`) held!.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
      if (request !== `GET ${path}` || held?.metadata.finalizers?.length !== 0) return;
      wasDropped = true;
      for (const one of [work, binding, path]) controlPlane.objects.delete(one);
    });
    await leave(true);
    expect(wasDropped).toBe(true);
    expect(output()).toContain('! Remove what federation has put into member1: left as it is (');
  });

  test('a join takes the mark of an unjoin off that was not completed', async () => {
    const { clients, cluster } = await federated();
    await expect(leaveFederation(clients.controlPlane, 'member1', () => {}, 0)).rejects.toThrow('nothing more goes');
    expect(isMarked(cluster())).toBe(true);
    await join(request, { ...clients, progress: quiet(), signal });
    expect(isMarked(cluster())).toBe(false);
  });

  test('a server has to do the work', async () => {
    const { controlPlane, member, leave } = await federated();
    const lease = controlPlane.objects.get(federationLeasePath) as unknown as { spec: { renewTime: string } };
    lease.spec.renewTime = new Date(0).toISOString();
    await expect(leave()).rejects.toThrow('no server runs with --federation');
    expect([...member.writes, ...controlPlane.writes]).toEqual([]);
  });

  test('the Clusters of a Karmada are left to it', async () => {
    const { controlPlane, leave, output } = await federated();
    controlPlane.objects.delete(federationLeasePath);
    await leave();
    expect(output()).not.toContain('federation');
    expect(controlPlane.objects.has(path)).toBe(false);
  });
});
