import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { ensureBootstrapPolicy } from './bootstrap.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

it('AUTHZ-1: at a start what is missing is put back, and what somebody keeps is left', async () => {
  const { ask, server } = await openServer();
  const registryOf = (resource: string) =>
    server.resources.find({ group: 'rbac.authorization.k8s.io', version: 'v1', resource })!.registry;
  const merge = { 'content-type': 'application/merge-patch+json' };
  const none = { rules: [] };
  await ask('DELETE', `${rbac}/clusterroles/system:discovery`);
  await ask('PATCH', `${rbac}/clusterroles/system:basic-user`, none, merge);
  const kept = { metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } }, ...none };
  await ask('PATCH', `${rbac}/clusterroles/system:public-info-viewer`, kept, merge);
  await ask('PATCH', `${rbac}/clusterrolebindings/cluster-admin`, { subjects: null }, merge);
  await ensureBootstrapPolicy({
    roles: registryOf('roles'),
    roleBindings: registryOf('rolebindings'),
    clusterRoles: registryOf('clusterroles'),
    clusterRoleBindings: registryOf('clusterrolebindings'),
  });
  const get = async (path: string) => (await ask('GET', `${rbac}/${path}`)).body;
  expect((await get('clusterroles/system:discovery'))['rules']).not.toEqual([]);
  expect((await get('clusterroles/system:basic-user'))['rules']).not.toEqual([]);
  expect((await get('clusterroles/system:public-info-viewer'))['rules'] ?? []).toEqual([]);
  expect((await get('clusterrolebindings/cluster-admin'))['subjects']).toEqual([
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:masters' },
  ]);
});
