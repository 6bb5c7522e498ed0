import { describe, expect, test } from 'vitest';
import { managed } from '../labels.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { cacheGrant, federationGrant, type KindsGrant, type PolicyRule } from './grants.ts';
import { join } from './join.ts';
import { type KindsFlags, kindsIn } from './kinds.ts';
import { fleetAnnotation } from './member-objects.ts';

const endpoint = { url: 'https://member1:6443', tls: {} };
const { signal } = new AbortController();
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const adminBinding = `${bindings}/fleet:member-admins`;

function sides() {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  let output = '';
  const progress = new Progress({ write: (text) => (output += text) });
  const joinWith = (bindAdmins: boolean, kinds: KindsFlags = {}) =>
    join(
      { name: 'member1', endpoint, bindAdmins, ...kindsIn(kinds), readyWithin: 1000 },
      { member: member.client(), controlPlane: controlPlane.client(), progress, signal },
    );
  /** Without those that are granted always. */
  const granted = ({ role, always }: KindsGrant) => {
    const rules = member.objects.get(`${roles}/${role}`)?.rules as PolicyRule[] | undefined;
    const all = rules?.flatMap(({ apiGroups, resources }) => resources!.map((one) => `${one}.${apiGroups![0]}`));
    return all?.filter((kind) => !always.some(({ group, resource }) => kind === `${resource}.${group}`));
  };
  /** Lets the last step on the control plane's side fail. */
  const refuseCluster = () => {
    controlPlane.silent = (request) => {
      if (!/^(POST|PATCH) .*\/clusters/.test(request)) return false;
      throw new Error('the control plane is gone');
    };
  };
  return { member, controlPlane, joinWith, granted, refuseCluster, output: () => output };
}

test('CLU-2: a member of another fleet is joined with a warning: both use its accounts', async () => {
  const { member, joinWith, output } = sides();
  await joinWith(true);
  expect(output()).not.toContain('Warning');
  await joinWith(true);
  expect(output()).not.toContain('Warning');
  member.objects.get('/api/v1/namespaces/fleet-system')!.metadata.annotations = { [fleetAnnotation]: 'uid-of-another' };
  await joinWith(true);
  expect(output()).toContain('Warning: this cluster was joined to another fleet before');
});

describe("IMP-5: the fleet's administrators in the member", () => {
  test('joining again with --no-bind-admins takes back what an earlier join granted them', async () => {
    const { member, joinWith, output } = sides();
    await joinWith(true);
    expect(member.paths).toContain(adminBinding);
    await joinWith(false);
    expect(member.paths).not.toContain(adminBinding);
    expect(member.paths).toContain(`${bindings}/fleet:impersonation`);
    expect(output()).toContain('1 removed');
    await joinWith(true);
    expect(member.paths).toContain(adminBinding);
  });

  test("a binding of that name that is somebody else's stays, and is reported", async () => {
    const { member, joinWith, output } = sides();
    member.objects.set(adminBinding, { kind: 'ClusterRoleBinding', metadata: { name: 'fleet:member-admins' } });
    await joinWith(false);
    expect(member.paths).toContain(adminBinding);
    expect(output()).toContain('ClusterRoleBinding fleet:member-admins was not made by fleet join, and stays');
  });

  test('a join without it does not make it', async () => {
    const { member, joinWith, output } = sides();
    await joinWith(false);
    expect(member.paths).not.toContain(adminBinding);
    expect(member.objects.get('/api/v1/namespaces/fleet-system')?.metadata.labels).toEqual(managed);
    expect(output()).not.toContain('removed');
  });
});

describe.each([
  [cacheGrant, 'fleet:cache', 'Grant the cache list and watch of its kinds'],
  [federationGrant, 'fleet:federation', 'Grant federation read and write of its kinds'],
] as const)('IMP-6: what $flag grants in the member', (grant, name, title) => {
  const role = `${roles}/${name}`;
  const binding = `${bindings}/${name}`;
  const grantedKinds = (kinds: string): KindsFlags => ({ [grant.option]: kinds });

  test('makes a role and its binding, labelled and owned by the namespace', async () => {
    const { member, joinWith, granted, output } = sides();
    await joinWith(true, grantedKinds('pods,deployments.apps'));
    expect(granted(grant)).toEqual(['pods.', 'deployments.apps']);
    expect(member.objects.get(binding)).toMatchObject({
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: 'fleet-control', namespace: 'fleet-system' }],
    });
    const { uid } = member.objects.get('/api/v1/namespaces/fleet-system')!.metadata;
    for (const path of [role, binding]) {
      expect(member.objects.get(path)?.metadata).toMatchObject({ labels: managed, ownerReferences: [{ uid }] });
    }
    expect(output()).toContain(`${title}: 2 made`);
  });

  test('a join without it makes neither, asks for neither and prints nothing about them', async () => {
    const { member, joinWith, output } = sides();
    await joinWith(true);
    expect(member.requests.filter((request) => request.endsWith(`/${name}`))).toEqual([]);
    expect(member.paths).not.toContain(role);
    expect(output()).not.toMatch(/cache|federation/);
  });

  test('run again with other kinds, it replaces the rules; with the same, it keeps them', async () => {
    const { joinWith, granted, output } = sides();
    await joinWith(true, grantedKinds('pods,deployments.apps'));
    await joinWith(true, grantedKinds('secrets,pods'));
    expect(granted(grant)).toEqual(['pods.', 'secrets.']);
    expect(output()).toContain('its kinds: 1 changed, 1 kept');
    await joinWith(true, grantedKinds('pods,secrets'));
    expect(output()).toContain('its kinds: 2 kept');
  });

  test('run again without the flag, it leaves them as they are', async () => {
    const { member, joinWith, granted } = sides();
    await joinWith(true, grantedKinds('*'));
    await joinWith(false);
    expect(granted(grant)).toEqual(['*.*']);
    expect(member.paths).toContain(binding);
  });

  test('none removes them, and may find none', async () => {
    const { member, joinWith, output } = sides();
    await joinWith(true, grantedKinds('pods'));
    await joinWith(true, grantedKinds('none'));
    expect(member.paths.filter((path) => path.endsWith(name))).toEqual([]);
    expect(member.paths).toContain(`${bindings}/fleet:health`);
    expect(output()).toContain('its kinds: 2 removed');
    await joinWith(true, grantedKinds('none'));
    expect(output()).toContain('its kinds: none, as before');
  });

  test("a role of that name that is somebody else's is refused, and stays with none", async () => {
    const { member, joinWith, output } = sides();
    const theirs = { kind: 'ClusterRole', metadata: { name }, rules: [] };
    member.objects.set(role, theirs);
    await expect(joinWith(true, grantedKinds('pods'))).rejects.toThrow(`ClusterRole ${name} is there already`);
    expect(member.paths).toEqual([role]);
    await joinWith(true, grantedKinds('none'));
    expect(member.objects.get(role)).toEqual(theirs);
    expect(output()).toContain(`ClusterRole ${name} was not made by fleet join, and stays`);
  });

  test('CLU-2: a join that fails takes away what it granted', async () => {
    const { member, joinWith, refuseCluster } = sides();
    refuseCluster();
    await expect(joinWith(true, grantedKinds('pods'))).rejects.toThrow('the control plane is gone');
    expect(member.writes).toContain(`DELETE ${binding}`);
    expect(member.paths).toEqual([]);
  });

  test('CLU-2: a second join that fails restores the rules it replaced', async () => {
    const { member, controlPlane, joinWith, granted, refuseCluster } = sides();
    await joinWith(true, grantedKinds('pods'));
    const before = member.paths;
    controlPlane.objects.delete('/apis/cluster.karmada.io/v1alpha1/clusters/member1');
    refuseCluster();
    await expect(joinWith(true, grantedKinds('*'))).rejects.toThrow('the control plane is gone');
    expect(member.writes.filter((write) => write === `PATCH ${role}`)).toHaveLength(2);
    expect(granted(grant)).toEqual(['pods.']);
    expect(member.paths).toEqual(before);
  });
});

test('IMP-6: a flag changes what it grants, and leaves what the other granted', async () => {
  const { member, joinWith, granted } = sides();
  await joinWith(true, { cacheKinds: 'pods', federationKinds: 'secrets' });
  expect([granted(cacheGrant), granted(federationGrant)]).toEqual([['pods.'], ['secrets.']]);
  await joinWith(true, { federationKinds: 'configmaps' });
  expect([granted(cacheGrant), granted(federationGrant)]).toEqual([['pods.'], ['configmaps.']]);
  await joinWith(true, { cacheKinds: 'none' });
  expect(member.paths.filter((path) => path.endsWith('/fleet:cache'))).toEqual([]);
  expect(granted(federationGrant)).toEqual(['configmaps.']);
});
