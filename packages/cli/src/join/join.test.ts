import { describe, expect, test } from 'vitest';
import { managed } from '../labels.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { join } from './join.ts';

const endpoint = { url: 'https://member1:6443', tls: {} };
const { signal } = new AbortController();
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const adminBinding = `${bindings}/fleet:member-admins`;

function sides() {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  let said = '';
  const progress = new Progress({ write: (text) => (said += text) });
  const joinWith = (bindAdmins: boolean) =>
    join(
      { name: 'member1', endpoint, bindAdmins, readyWithin: 1000 },
      { member: member.client(), controlPlane: controlPlane.client(), progress, signal },
    );
  return { member, controlPlane, joinWith, said: () => said };
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
