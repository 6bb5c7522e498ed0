import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { inNamespace, namespacesPath, overridePoliciesPath, worksPath } from '../api/paths.ts';
import type { PlaintextOverrider } from '../api/policies.ts';
import type { Work } from '../api/works.ts';
import type { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { type FakeFederation, fakeFederationOf, namespaceNamed } from '../testing/fake-federation.ts';
import { servedKinds } from '../testing/fake-pipeline.ts';

const settled = { timeout: 15_000, interval: 25 };
const clusterRoleBindings = {
  ...servedKinds[0]!,
  apiVersion: 'rbac.authorization.k8s.io/v1',
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const served = [...servedKinds, clusterRoleBindings];

let federation: FakeFederation;
let controlPlane: FakeControlPlane;
let member: FakeControlPlane;

beforeEach(async () => {
  federation = await fakeFederationOf(served, 'shop');
  ({ controlPlane, member } = federation);
});
afterEach(() => federation[Symbol.asyncDispose]());

/** A ConfigMap of the namespace shop, overridden and propagated by policies of the same namespace. */
async function propagate(name: string, plaintext: readonly PlaintextOverrider[]): Promise<void> {
  await controlPlane.client.create(inNamespace(overridePoliciesPath, 'shop'), {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { name: 'o' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name }],
      overrideRules: [{ overriders: { plaintext } }],
    },
  } as never);
  for (const one of [name, 'witness']) {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one }, data: { a: 'b' } };
    await controlPlane.client.create('/api/v1/namespaces/shop/configmaps', configMap);
  }
  await federation.propagate('shop', { conflictResolution: 'Overwrite' });
}

const eventReasons = async (): Promise<unknown[]> =>
  (await controlPlane.client.list<AnyObject>('/api/v1/namespaces/shop/events')).items.map((event) => event['reason']);

/** It is refused with an Event, and another object of the same policy has come into the member meanwhile. */
const refused = () =>
  vi.waitFor(async () => {
    expect(await eventReasons()).toContain('ApplyOverridePolicyFailed');
    await member.client.get('/api/v1/namespaces/shop/configmaps/witness');
  }, settled);

const worksOf = async (name: string): Promise<Work[]> =>
  (await controlPlane.client.list<Work>(worksPath)).items.filter(({ metadata }) => metadata.name.startsWith(name));

const postsOfWorks = (): number =>
  controlPlane.writes.filter((write) => write.startsWith('POST') && write.endsWith('/works')).length;

describe('FED-7: an OverridePolicy stays within its namespace', () => {
  it('FED-7, FED-19: it does not write into kube-system of the member', async () => {
    const metadata = { name: 'coredns', namespace: 'kube-system' };
    await member.client.create(namespacesPath, namespaceNamed('kube-system'));
    const coredns = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: 'good' } };
    await member.client.create('/api/v1/namespaces/kube-system/configmaps', coredns);
    await propagate('coredns', [
      { path: '/metadata/namespace', operator: 'replace', value: 'kube-system' },
      { path: '/data', operator: 'replace', value: { Corefile: 'evil' } },
    ]);
    await refused();
    const found = await member.client.get<AnyObject>('/api/v1/namespaces/kube-system/configmaps/coredns');
    expect(found['data']).toEqual({ Corefile: 'good' });
    expect(await worksOf('coredns')).toEqual([]);
  });

  it('FED-7: it makes no object of another kind in the member', async () => {
    await propagate('boom', [
      { path: '/kind', operator: 'replace', value: 'ClusterRoleBinding' },
      { path: '/apiVersion', operator: 'replace', value: 'rbac.authorization.k8s.io/v1' },
      { path: '/metadata/namespace', operator: 'remove' },
      { path: '/data', operator: 'remove' },
      {
        path: '/roleRef',
        operator: 'add',
        value: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      },
    ]);
    await refused();
    expect((await member.client.list('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings')).items).toEqual([]);
    expect(await worksOf('boom')).toEqual([]);
  });

  it('FED-7: one that changes the name is not applied, and writes no Works without end', async () => {
    await propagate('one', [{ path: '/metadata/name', operator: 'replace', value: 'other' }]);
    await refused();
    expect(await worksOf('other')).toEqual([]);
    const before = postsOfWorks();
    await controlPlane.client.delete(`${inNamespace(overridePoliciesPath, 'shop')}/o`);
    await vi.waitFor(() => member.client.get('/api/v1/namespaces/shop/configmaps/one'), settled);
    expect(postsOfWorks() - before).toBe(1);
  });
});
