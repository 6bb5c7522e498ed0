import { describe, expect, test } from 'vitest';
import { managed } from '../labels.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { parseCacheKinds } from './cache-kinds.ts';
import type { PolicyRule } from './grants.ts';
import { join } from './join.ts';

const endpoint = { url: 'https://member1:6443', tls: {} };
const { signal } = new AbortController();
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const cacheRole = '/apis/rbac.authorization.k8s.io/v1/clusterroles/fleet:cache';
const cacheBinding = `${bindings}/fleet:cache`;
const adminBinding = `${bindings}/fleet:member-admins`;

function sides() {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  let said = '';
  const progress = new Progress({ write: (text) => (said += text) });
  const joinWith = (bindAdmins: boolean, kinds?: string) =>
    join(
      {
        name: 'member1',
        endpoint,
        bindAdmins,
        cacheKinds: kinds === undefined ? undefined : parseCacheKinds(kinds),
        readyWithin: 1000,
      },
      { member: member.client(), controlPlane: controlPlane.client(), progress, signal },
    );
  const cached = () =>
    (member.objects.get(cacheRole)?.rules as PolicyRule[] | undefined)?.flatMap(({ apiGroups, resources }) =>
      apiGroups![0] === 'rbac.authorization.k8s.io' ? [] : resources!.map((resource) => `${resource}.${apiGroups![0]}`),
    );
  /** Lets the last step on the control plane's side fail. */
  const refuseCluster = () => {
    controlPlane.silent = (request) => {
      if (!/^(POST|PATCH) .*\/clusters/.test(request)) return false;
      throw new Error('the control plane is gone');
    };
  };
  return { member, controlPlane, joinWith, cached, refuseCluster, said: () => said };
}

describe("IMP-5: the fleet's administrators in the member", () => {
  test('joining again with --no-bind-admins takes back what an earlier join granted them', async () => {
    const { member, joinWith, said } = sides();
    await joinWith(true);
    expect(member.paths).toContain(adminBinding);
    await joinWith(false);
    expect(member.paths).not.toContain(adminBinding);
    expect(member.paths).toContain(`${bindings}/fleet:impersonation`);
    expect(said()).toContain('1 removed');
    await joinWith(true);
    expect(member.paths).toContain(adminBinding);
  });

  test("a binding of that name that is somebody else's stays, and is told", async () => {
    const { member, joinWith, said } = sides();
    member.objects.set(adminBinding, { kind: 'ClusterRoleBinding', metadata: { name: 'fleet:member-admins' } });
    await joinWith(false);
    expect(member.paths).toContain(adminBinding);
    expect(said()).toContain('ClusterRoleBinding fleet:member-admins was not made by fleet join, and stays');
  });

  test('a join without it does not make it', async () => {
    const { member, joinWith, said } = sides();
    await joinWith(false);
    expect(member.paths).not.toContain(adminBinding);
    expect(member.objects.get('/api/v1/namespaces/fleet-system')?.metadata.labels).toEqual(managed);
    expect(said()).not.toContain('removed');
  });
});

describe('IMP-6: what the cache is allowed to read in the member', () => {
  test('--cache-kinds makes a role and its binding, labelled and owned by the namespace', async () => {
    const { member, joinWith, cached, said } = sides();
    await joinWith(true, 'pods,deployments.apps');
    expect(cached()).toEqual(['pods.', 'deployments.apps']);
    expect(member.objects.get(cacheBinding)).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'fleet:cache' },
      subjects: [{ kind: 'ServiceAccount', name: 'fleet-control', namespace: 'fleet-system' }],
    });
    const { uid } = member.objects.get('/api/v1/namespaces/fleet-system')!.metadata;
    for (const path of [cacheRole, cacheBinding]) {
      expect(member.objects.get(path)?.metadata).toMatchObject({ labels: managed, ownerReferences: [{ uid }] });
    }
    expect(said()).toContain('Grant the cache list and watch of its kinds: 2 made');
  });

  test('a join without it makes neither, asks for neither and says nothing of them', async () => {
    const { member, joinWith, said } = sides();
    await joinWith(true);
    expect(member.requests.filter((request) => request.endsWith('/fleet:cache'))).toEqual([]);
    expect(member.paths).not.toContain(cacheRole);
    expect(said()).not.toContain('cache');
  });

  test('run again with other kinds, it replaces the rules; with the same, it keeps them', async () => {
    const { joinWith, cached, said } = sides();
    await joinWith(true, 'pods,deployments.apps');
    await joinWith(true, 'secrets,pods');
    expect(cached()).toEqual(['pods.', 'secrets.']);
    expect(said()).toContain('its kinds: 1 changed, 1 kept');
    await joinWith(true, 'pods,secrets');
    expect(said()).toContain('its kinds: 2 kept');
  });

  test('run again without the flag, it leaves them as they are', async () => {
    const { member, joinWith, cached } = sides();
    await joinWith(true, '*');
    await joinWith(false);
    expect(cached()).toEqual(['*.*']);
    expect(member.paths).toContain(cacheBinding);
  });

  test('--cache-kinds none removes them, and may find none', async () => {
    const { member, joinWith, said } = sides();
    await joinWith(true, 'pods');
    await joinWith(true, 'none');
    expect(member.paths.filter((path) => path.endsWith('fleet:cache'))).toEqual([]);
    expect(member.paths).toContain(`${bindings}/fleet:health`);
    expect(said()).toContain('its kinds: 2 removed');
    await joinWith(true, 'none');
    expect(said()).toContain('its kinds: none, as before');
  });

  test("a role of that name that is somebody else's is refused, and stays with none", async () => {
    const { member, joinWith, said } = sides();
    const theirs = { kind: 'ClusterRole', metadata: { name: 'fleet:cache' }, rules: [] };
    member.objects.set(cacheRole, theirs);
    await expect(joinWith(true, 'pods')).rejects.toThrow('ClusterRole fleet:cache is there already');
    expect(member.paths).toEqual([cacheRole]);
    await joinWith(true, 'none');
    expect(member.objects.get(cacheRole)).toEqual(theirs);
    expect(said()).toContain('ClusterRole fleet:cache was not made by fleet join, and stays');
  });

  test('CLU-2: a join that fails takes away what it granted', async () => {
    const { member, joinWith, refuseCluster } = sides();
    refuseCluster();
    await expect(joinWith(true, 'pods')).rejects.toThrow('the control plane is gone');
    expect(member.writes).toContain(`DELETE ${cacheBinding}`);
    expect(member.paths).toEqual([]);
  });

  test('CLU-2: a second join that fails restores the rules it replaced', async () => {
    const { member, controlPlane, joinWith, cached, refuseCluster } = sides();
    await joinWith(true, 'pods');
    const before = member.paths;
    controlPlane.objects.delete('/apis/cluster.karmada.io/v1alpha1/clusters/member1');
    refuseCluster();
    await expect(joinWith(true, '*')).rejects.toThrow('the control plane is gone');
    expect(member.writes.filter((write) => write === `PATCH ${cacheRole}`)).toHaveLength(2);
    expect(cached()).toEqual(['pods.']);
    expect(member.paths).toEqual(before);
  });
});
