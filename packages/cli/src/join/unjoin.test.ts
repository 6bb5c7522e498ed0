import { describe, expect, test } from 'vitest';
import { clustersPath } from '../cluster.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { join } from './join.ts';
import { type KindsFlags, kindsIn } from './kinds.ts';
import { fleetAnnotation } from './member-objects.ts';
import { type MemberClient, unjoin } from './unjoin.ts';

const quiet = () => new Progress({ write: () => {} });
const endpoint = { url: 'https://member1:6443', tls: {} };
const { signal } = new AbortController();

/** A fleet that has member1. */
async function joined(kinds: KindsFlags = {}) {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  const clients = { member: member.client(), controlPlane: controlPlane.client() };
  const request = {
    name: 'member1',
    endpoint,
    bindAdmins: true,
    readyWithin: 1000,
    ...kindsIn(kinds),
  };
  await join(request, { ...clients, progress: quiet(), signal });
  const complete = { member: member.paths, controlPlane: controlPlane.paths };
  member.requests.length = 0;
  controlPlane.requests.length = 0;
  let output = '';
  const progress = new Progress({ write: (text) => (output += text) }, {});
  const leave = (name: string, force = false, at: FakeCluster = member) => {
    const way: MemberClient = { by: 'kubeconfig', client: at.client(), url: endpoint.url };
    return unjoin({ name, force }, { ...clients, member: way, progress });
  };
  return { member, controlPlane, complete, leave, output: () => output };
}

describe('CLU-2: unjoin with a kubeconfig', () => {
  test('by the name that it is registered under: nothing is left on either side', async () => {
    const { leave, member, controlPlane } = await joined();
    await leave('member1');
    expect(member.paths).toEqual([]);
    expect(controlPlane.paths).toEqual(['/api/v1/namespaces/karmada-cluster']);
  });

  test.each([
    ['cacheKinds', 'fleet:cache'],
    ['federationKinds', 'fleet:federation'],
  ])('IMP-6: what was granted as %s goes too', async (option, role) => {
    const { leave, member, complete } = await joined({ [option]: 'pods' });
    expect(complete.member.filter((path) => path.endsWith(`/${role}`))).toHaveLength(2);
    await leave('member1');
    expect(member.paths).toEqual([]);
  });

  test.each([false, true])('by a mistyped name: refused, and both sides are as before (--force %s)', async (force) => {
    const { leave, member, controlPlane, complete } = await joined();
    await expect(leave('membr1', force)).rejects.toThrow('leads to the cluster that is registered as "member1"');
    expect({ member: member.paths, controlPlane: controlPlane.paths }).toEqual(complete);
    expect([...member.writes, ...controlPlane.writes]).toEqual([]);
  });

  test('by a mistyped name, of a member without an id: recognised by its endpoint', async () => {
    const { leave, member, controlPlane } = await joined();
    delete (controlPlane.objects.get(`${clustersPath}/member1`) as unknown as { spec: { id?: string } }).spec.id;
    await expect(leave('membr1')).rejects.toThrow('registered as "member1"');
    expect(member.writes).toEqual([]);
  });

  test.each([false, true])('of another cluster: refused, and nothing is touched (--force %s)', async (force) => {
    const { leave, controlPlane } = await joined();
    const other = new FakeCluster('uid-of-another');
    await expect(leave('member1', force, other)).rejects.toThrow('leads to another cluster');
    expect([...other.writes, ...controlPlane.writes]).toEqual([]);
  });

  test.each(['', '.', 'a/b', '..'])('by %j, which is no name at all: refused', async (name) => {
    const { leave, member, controlPlane } = await joined();
    await expect(leave(name)).rejects.toThrow(`there is no cluster "${name}"`);
    expect([...member.writes, ...controlPlane.writes]).toEqual([]);
  });

  test('of a member of another fleet: refused, and the member is as before', async () => {
    const { member } = await joined();
    const other = new FakeCluster('uid-of-another-fleet');
    const way: MemberClient = { by: 'kubeconfig', client: member.client(), url: endpoint.url };
    const leave = (force: boolean) =>
      unjoin({ name: 'member1', force }, { controlPlane: other.client(), member: way, progress: quiet() });
    await expect(leave(false)).rejects.toThrow('was joined to another fleet');
    await expect(leave(true)).rejects.toThrow('was joined to another fleet');
    expect([...member.writes, ...other.writes]).toEqual([]);
  });

  test('of a member that another fleet joined since: out of this fleet, and the accounts stay', async () => {
    const { leave, member, controlPlane, output } = await joined();
    const namespace = member.objects.get('/api/v1/namespaces/fleet-system')!;
    namespace.metadata.annotations = { [fleetAnnotation]: 'uid-of-another-fleet' };
    await leave('member1');
    expect(controlPlane.paths).not.toContain(`${clustersPath}/member1`);
    expect(member.writes).toEqual([]);
    expect(output()).toContain(
      '! Remove the namespace, accounts and permissions from the member: left as they are: another fleet',
    );
  });

  test('of a cluster that the fleet does not know: what join left there is removed', async () => {
    const { leave, member, controlPlane } = await joined();
    controlPlane.objects.delete(`${clustersPath}/member1`);
    await leave('member1');
    expect(member.paths).toEqual([]);
  });
});
