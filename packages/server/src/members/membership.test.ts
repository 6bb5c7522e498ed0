import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { silentLog } from '../testing/silent-log.ts';
import { clustersPath, secretsNamespace } from './cluster.ts';
import { followMembership } from './membership.ts';
import { MemberRegistry } from './registry.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;
let controlPlane: FakeControlPlane;
let registry: MemberRegistry;
let calls: string[];

const put = (name: string, uid: string, metadata: object = {}) =>
  controlPlane.put(clustersPath, {
    metadata: { name, uid, ...metadata },
    spec: { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1', secretRef: { namespace: secretsNamespace, name } },
  } as never);

const putSecret = (token: string) =>
  controlPlane.put(secretsPath, { metadata: { name: 'b', namespace: secretsNamespace }, data: { token } } as never);

/** What is put last is seen last. */
const until = (name: string) => vi.waitFor(() => expect(registry.names()).toContain(name));

beforeEach(async () => {
  calls = [];
  controlPlane = new FakeControlPlane();
  putSecret('dA==');
  put('b', '1');
  registry = new MemberRegistry(new KubeClient(controlPlane.upstream), silentLog().log);
  await registry.synced();
  followMembership(registry, { onLeft: (name) => calls.push(`left ${name}`), onCame: () => calls.push('came') });
});

afterEach(() => registry[Symbol.asyncDispose]());

describe('WATCH-5: who is in the merged views', () => {
  it('CLU-6: a Cluster that was made again under its name has left, though its name was never missing', async () => {
    put('b', '2');
    await vi.waitFor(() => expect(calls).toEqual(['left b']));
  });

  it('one that comes, one that is switched off, is deleted, or is gone', async () => {
    for (const name of ['c', 'd']) put(name, '1');
    await until('d');
    expect(calls).toEqual(['came', 'came']);
    put('b', '1', { annotations: { 'cluster.kubesphere.io/active': 'false' } });
    put('c', '1', { deletionTimestamp: 'now' });
    // There was never a way to it.
    controlPlane.remove(clustersPath, 'd');
    await vi.waitFor(() => expect(calls.slice(2)).toEqual(['left b', 'left c', 'left d']));
    controlPlane.remove(clustersPath, 'c');
    put('d', '1');
    await until('d');
    expect(calls.slice(5)).toEqual(['came']);
  });

  it('CLU-4: one that changes, or whose credential is gone for a while, stays', async () => {
    put('b', '1', { labels: { x: 'y' } });
    controlPlane.remove(secretsPath, 'b');
    await vi.waitFor(() => expect([...registry.blocked()]).toHaveLength(1));
    putSecret('dTI=');
    await vi.waitFor(() => expect([...registry.blocked()]).toEqual([]));
    put('c', '1');
    await until('c');
    expect(calls).toEqual(['came']);
  });
});
