import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Binding } from './api/bindings.ts';
import type { AnyObject } from './api/objects.ts';
import { inNamespace, namespacesPath, objectPath, resourceBindingsPath } from './api/paths.ts';
import {
  appeared,
  at,
  configMaps,
  type FakeFederation,
  fakeFederation,
  namespaceNamed,
  settled,
} from './testing/fake-federation.ts';

let fleet: FakeFederation;
beforeEach(async () => {
  fleet = await fakeFederation('shop', 'other');
});
afterEach(() => fleet[Symbol.asyncDispose]());

const mine = `${configMaps('shop')}/mine`;
const bindingOfMine = () =>
  fleet.controlPlane.client.get<Binding>(`${inNamespace(resourceBindingsPath, 'shop')}/mine-configmap`);

async function propagated(): Promise<AnyObject> {
  await fleet.configMap('shop', 'mine');
  await fleet.propagate('shop');
  return appeared(fleet.member.client, mine);
}

const bind = (namespace: string, name: string, { metadata, spec }: Pick<Binding, 'metadata' | 'spec'>) =>
  fleet.controlPlane.client.create<Binding>(inNamespace(resourceBindingsPath, namespace), {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { ...metadata, name, namespace },
    spec,
  });

const refused = (namespace: string, message: string) =>
  vi.waitFor(async () => expect(await fleet.messages(namespace, 'SyncWorkFailed')).toContain(message), settled);

describe('a binding that somebody else has made', () => {
  it('FED-15: with the permanent id of another has none of its Works, also when it is deleted', async () => {
    const { uid } = (await propagated()).metadata;
    const { labels = {}, finalizers = [] } = (await bindingOfMine()).metadata;
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'other', name: 'mine' };
    const metadata = { name: '', labels, finalizers };
    const forged = await bind('other', 'mine-configmap', { metadata, spec: { resource } });
    const path = objectPath(inNamespace(resourceBindingsPath, 'other'), { metadata: { name: forged.metadata.name } });
    // Its status: it has been seen.
    await vi.waitFor(
      async () => expect((await at<Binding>(fleet.controlPlane.client, path))?.status).toBeDefined(),
      settled,
    );
    await fleet.controlPlane.client.delete(path);
    await vi.waitFor(async () => expect(await at(fleet.controlPlane.client, path)).toBeUndefined(), settled);
    expect((await at(fleet.member.client, mine))?.metadata.uid).toBe(uid);
    expect(await fleet.worksOf('mine')).toHaveLength(1);
  });

  it('FED-1: a copy beside the one of a template has no Works, and takes none away', async () => {
    const { uid } = (await propagated()).metadata;
    const { metadata, spec } = await bindingOfMine();
    const { labels = {} } = metadata;
    await bind('shop', 'copy', { metadata: { name: '', labels }, spec: { ...spec, clusters: [] } });
    await refused('shop', 'the binding of ConfigMap mine has the name mine-configmap');
    expect((await at(fleet.member.client, mine))?.metadata.uid).toBe(uid);
    const [work] = await fleet.worksOf('mine');
    expect(work?.metadata.annotations?.['resourcebinding.karmada.io/name']).toBe('mine-configmap');
  });

  it('FED-1: propagates nothing of another namespace', async () => {
    const { uid } = (await fleet.configMap('shop', 'mine')).metadata;
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'mine', ...(uid && { uid }) };
    await bind('other', 'mine-configmap', bindingTo(resource));
    await refused('other', 'ConfigMap mine is in the namespace "shop", its binding in "other"');
    expect(await fleet.worksOf('mine')).toEqual([]);
    expect(await at(fleet.member.client, mine)).toBeUndefined();
  });

  it('FED-19: propagates nothing of a namespace whose objects are never templates', async () => {
    const { client } = fleet.controlPlane;
    await client.create(namespacesPath, namespaceNamed('kube-system'));
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, data: { token: 'c2VjcmV0' } };
    const { uid } = (await client.create<AnyObject>('/api/v1/namespaces/kube-system/secrets', secret)).metadata;
    const resource = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: 'key', ...(uid && { uid }) };
    await bind('kube-system', 'key-secret', bindingTo(resource));
    await refused('kube-system', 'Secret key in the namespace "kube-system" is never propagated');
    expect(await fleet.worksOf('key')).toEqual([]);
  });
});

const bindingTo = (resource: Binding['spec']['resource']): Pick<Binding, 'metadata' | 'spec'> => ({
  metadata: { name: '', labels: { 'resourcebinding.karmada.io/permanent-id': 'an-id' } },
  spec: { resource, clusters: [{ name: 'm1' }] },
});
