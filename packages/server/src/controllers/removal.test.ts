import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Cluster, clustersPath, secretsNamespace } from '../members/cluster.ts';
import { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { finalizer, watchRemovals } from './removal.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;
const secretRef = { namespace: secretsNamespace, name: 'm1' };

const cluster = (metadata: Partial<Cluster['metadata']> = {}, spec: Partial<Cluster['spec']> = {}): Cluster => ({
  metadata: { name: 'm1', uid: 'u', ...metadata },
  spec: { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1', secretRef, ...spec },
});

let controlPlane: FakeControlPlane;
let members: MemberRegistry;
let running: Disposable;

beforeEach(() => {
  controlPlane = new FakeControlPlane();
  controlPlane.put(secretsPath, { metadata: { name: 'm1', namespace: secretsNamespace } });
  const { answer } = controlPlane.upstream;
  controlPlane.upstream.answer = (call) => {
    if (call.method !== 'DELETE') return answer(call);
    controlPlane.remove(secretsPath, call.path.split('/').at(-1)!);
    return replyOf(200, {});
  };
});

afterEach(async () => {
  running[Symbol.dispose]();
  await members[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  const { log } = silentLog();
  const client = new KubeClient(controlPlane.upstream);
  members = new MemberRegistry(client, log);
  await members.synced();
  running = watchRemovals({ members, controlPlane: client, log });
}

const deletes = () => controlPlane.upstream.paths.filter((path) => path.startsWith('DELETE'));
const finalizers = () => controlPlane.get<Cluster>(clustersPath, 'm1').metadata.finalizers;
const going = { deletionTimestamp: 'now', finalizers: ['theirs', finalizer] };

describe('CLU-6', () => {
  it('a Cluster is held until it is cleaned up behind, beside what others hold it for', async () => {
    controlPlane.put(clustersPath, cluster({ finalizers: ['theirs'] }));
    await start();
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs', finalizer]));
    expect(deletes()).toEqual([]);
  });

  it('deleted, it is unknown at once; its Secrets go, then its finalizer', async () => {
    controlPlane.put(clustersPath, cluster({ finalizers: [finalizer] }));
    await start();
    expect(members.get('m1').name).toBe('m1');
    controlPlane.put(clustersPath, cluster(going));
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs']));
    expect(() => members.get('m1')).toThrow('not found');
    expect(members.names()).toEqual([]);
    expect(deletes()).toEqual([`DELETE ${secretsPath}/m1`]);
  });

  it('one that was deleted while the product was not running is cleaned up behind too', async () => {
    controlPlane.put(clustersPath, cluster(going));
    await start();
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs']));
  });

  it('Secrets of others stay: in another namespace, or named by another Cluster', async () => {
    controlPlane.put(clustersPath, { ...cluster(), metadata: { name: 'm2', finalizers: [finalizer] } });
    const impersonatorSecretRef = { namespace: 'team', name: 'x' };
    controlPlane.put(clustersPath, cluster(going, { impersonatorSecretRef }));
    await start();
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs']));
    expect(deletes()).toEqual([]);
  });

  it('SEC-4: a Secret of another cluster stays, though no Cluster of that name is there', async () => {
    controlPlane.put(secretsPath, { metadata: { name: 'm2', namespace: secretsNamespace } });
    controlPlane.put(
      clustersPath,
      cluster(going, { impersonatorSecretRef: { namespace: secretsNamespace, name: 'm2' } }),
    );
    await start();
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs']));
    expect(deletes()).toEqual([`DELETE ${secretsPath}/m1`]);
  });

  it('FED-9: its Secrets stay until what has to be removed in the member is gone', async () => {
    const cleaning = 'karmada.io/cluster-controller';
    controlPlane.put(clustersPath, cluster({ ...going, finalizers: [cleaning, finalizer] }));
    const other = cluster(going, { secretRef: { namespace: secretsNamespace, name: 'm2' } });
    controlPlane.put(clustersPath, { ...other, metadata: { ...other.metadata, name: 'm2' } });
    await start();
    // Both were processed by then.
    await vi.waitFor(() =>
      expect(controlPlane.get<Cluster>(clustersPath, 'm2').metadata.finalizers).toEqual(['theirs']),
    );
    expect(finalizers()).toEqual([cleaning, finalizer]);
    expect(deletes()).not.toContain(`DELETE ${secretsPath}/m1`);
    controlPlane.put(clustersPath, cluster({ ...going, finalizers: [finalizer] }));
    await vi.waitFor(() => expect(finalizers()).toEqual([]));
    expect(deletes()).toContain(`DELETE ${secretsPath}/m1`);
  });

  it('what fails is tried again', async () => {
    const { answer } = controlPlane.upstream;
    let failures = 1;
    controlPlane.upstream.answer = (call) =>
      call.method === 'DELETE' && failures-- > 0 ? statusReply(500, 'InternalError', 'away') : answer(call);
    controlPlane.put(clustersPath, cluster(going));
    await start();
    await vi.waitFor(() => expect(finalizers()).toEqual(['theirs']), { timeout: 5_000 });
    expect(deletes()).toHaveLength(2);
  });
});
