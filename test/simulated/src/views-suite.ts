/** Lists and named objects of simulated clusters in every URL family, read and written with the Kubernetes client for JavaScript. */

import { CoreV1Api, type KubeConfig, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';
import { requestAs } from './request.ts';

export function viewsSuite(options: Partial<FleetOptions> = {}): void {
  let fleet: SimulatedFleet;
  let admin: KubeConfig;
  beforeAll(async () => {
    fleet = await startFleet({ members: ['member1', 'member2'], ...options });
    admin = await fleet.config();
    for (const [name, { client }] of fleet.members) {
      await client.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
      for (const map of ['settings', `only-${name}`]) {
        await client.create('/api/v1/namespaces/shop/configmaps', { metadata: { name: map }, data: { from: name } });
      }
    }
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  const namesOf = (list: { items: { metadata?: { name?: string } }[] }) =>
    list.items.map(({ metadata }) => metadata?.name);

  describe('lists and named objects, with a client that we did not write', () => {
    it("URL-1, NAME-4: a list has every cluster's objects, in the order of clusters, under suffixed names", async () => {
      const list = await admin.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'shop' });
      expect(namesOf(list).filter((name) => !name?.startsWith('kube-root-ca'))).toEqual([
        'only-member1.clusterspace.member1',
        'settings.clusterspace.member1',
        'only-member2.clusterspace.member2',
        'settings.clusterspace.member2',
      ]);
      expect(JSON.parse(Buffer.from(list.metadata!.resourceVersion!, 'base64url').toString())).toEqual({
        member1: expect.stringMatching(/^\d+$/),
        member2: expect.stringMatching(/^\d+$/),
      });
    });

    it('URL-1, RV-5: an object is created, read, replaced, patched and deleted by its suffixed name', async () => {
      const api = admin.makeApiClient(CoreV1Api);
      const at = { name: 'made.clusterspace.member2', namespace: 'shop' };
      const made = await api.createNamespacedConfigMap({
        namespace: 'shop',
        body: { metadata: { name: at.name }, data: { a: '1' } },
      });
      expect(made.metadata?.name).toBe(at.name);
      const member = fleet.members.get('member2')!;
      expect(await member.client.get('/api/v1/namespaces/shop/configmaps/made')).toMatchObject({ data: { a: '1' } });
      const replaced = await api.replaceNamespacedConfigMap({ ...at, body: { ...made, data: { a: '2' } } });
      expect(replaced.data).toEqual({ a: '2' });
      await expect(
        api.replaceNamespacedConfigMap({ ...at, body: { ...made, data: { a: '3' } } }),
      ).rejects.toMatchObject({
        code: 409,
      });
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: at, data: { b: '4' } };
      const patched = await KubernetesObjectApi.makeApiClient(admin).patch(
        body,
        undefined,
        undefined,
        'test',
        undefined,
        PatchStrategy.MergePatch,
      );
      expect(patched).toMatchObject({ metadata: { name: at.name }, data: { a: '2', b: '4' } });
      await api.deleteNamespacedConfigMap(at);
      await expect(member.client.get('/api/v1/namespaces/shop/configmaps/made')).rejects.toMatchObject({ code: 404 });
    });

    it('LIST-7: a name without a cluster is found where one member has it, and is a conflict where several do', async () => {
      const api = admin.makeApiClient(CoreV1Api);
      const found = await api.readNamespacedConfigMap({ namespace: 'shop', name: 'only-member2' });
      expect(found.data).toEqual({ from: 'member2' });
      const several = api.readNamespacedConfigMap({ namespace: 'shop', name: 'settings' });
      await expect(several).rejects.toMatchObject({
        code: 409,
        body: expect.stringContaining('settings.clusterspace.member1'),
      });
    });
  });

  describe('the URL families', () => {
    const map = { metadata: { name: 'settings', namespace: 'shop' }, data: { from: 'member1' } };

    it.each([
      ['URL-2', '/api/v1/namespaces/shop/clusterspaces/member1/configmaps/settings'],
      ['URL-3', '/clusterspaces/member1/api/v1/namespaces/shop/configmaps/settings'],
      ['URL-3', '/api/v1/namespaces/shop/configmaps/settings?clusterspace=member1'],
      ['URL-4', '/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/api/v1/namespaces/shop/configmaps/settings'],
      ['URL-7', '/api/clusters/member1/v1/namespaces/shop/configmaps/settings'],
      ['URL-7', '/clusters/member1/api/v1/namespaces/shop/configmaps/settings'],
    ])('%s: %s is the one member', async (_, path) => {
      expect(await requestAs(admin, path)).toMatchObject({ status: 200, body: map });
    });

    it('URL-2: all of them are suffixed; URL-5, LIST-6: any member is plain, with a mark', async () => {
      const all = await requestAs(
        admin,
        '/api/v1/namespaces/shop/clusterspaces/all/configmaps?fieldSelector=metadata.name%3Dsettings',
      );
      expect(namesOf(all.body as never)).toEqual(['settings.clusterspace.member1', 'settings.clusterspace.member2']);
      const any = await requestAs(
        admin,
        '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy/api/v1/namespaces/shop/configmaps',
      );
      const marked = (any.body as { items: { metadata: { name: string; annotations: Record<string, string> } }[] })
        .items;
      expect(
        marked.filter(({ metadata }) => metadata.name === 'settings').map(({ metadata }) => metadata.annotations),
      ).toEqual([{ 'cluster.karmada.io/name': 'member1' }, { 'cluster.karmada.io/name': 'member2' }]);
    });

    it('URL-2: karmada is the control plane', async () => {
      const clusters = await requestAs(admin, '/clusterspaces/karmada/apis/cluster.karmada.io/v1alpha1/clusters');
      expect(namesOf(clusters.body as never)).toEqual(['member1', 'member2']);
    });

    it.each([
      ['NAME-7', '/clusterspaces/member1/api/v1/namespaces/shop/configmaps/settings.clusterspace.member2', 400],
      ['NAME-8', '/clusterspaces/nowhere/api/v1/pods', 404],
      ['URL-8', '/clusterspaces/member1/api/v1/%2e%2e/nodes', 400],
    ])('%s: %s is %i', async (_, path, status) => {
      expect(await requestAs(admin, path)).toMatchObject({ status, body: { kind: 'Status', code: status } });
    });
  });
}
