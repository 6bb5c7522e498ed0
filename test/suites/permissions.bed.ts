/** Permissions: first the control plane's, then the member's own, with the members' audit logs as witness. */

import { copyFile } from 'node:fs/promises';
import { isEmbedded } from '@fleet/bed/embedded-control-plane.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';
import { prepare, reaching } from './permissions/prepare.ts';
import { asWhom, clustersIn, kubeconfigOf, type Name, witnessedBy } from './permissions/witnessed.ts';
import { apply, binding, role } from './rbac.ts';
import { entriesOf, Watching } from './watching.ts';

let fleet: Fleet<Name>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
  await prepare(fleet);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const witnessed = <T>(act: () => Promise<T>) => witnessedBy(fleet, act);

const controlPlaneUser = (user: string, groups: string[], product = fleet.product) =>
  kubeconfigOf(fleet.controlPlane, product, user, groups);

describe('AUTHZ-3 LIST-3: the member decides', () => {
  test('a user with permissions in member1 only sees member1 only, without a word', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('alice', ['people']);
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    const groups = ['people', 'system:authenticated'];
    expect(seen.member1.map(asWhom)).toEqual([{ impersonatedUser: 'alice', impersonatedGroups: groups, code: 200 }]);
    expect(seen.member2.map(asWhom)).toEqual([{ impersonatedUser: 'alice', impersonatedGroups: groups, code: 403 }]);
  });

  test('ERR-3: a user whom no member allows gets a 403 in a member’s own words', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('bob', ['people']);
    const { code, stderr } = await fleet.product.kubectl('get', 'pods', '-A', { kubeconfig });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'Error from server (Forbidden): pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope\n',
    });
  });

  test('IMP-2: --as needs the permission in the control plane, and the member sees whom it names', async () => {
    const { result, seen } = await witnessed(() =>
      fleet.product.kubectl('get', 'pods', '-A', '--as', 'alice', '--as-group', 'people'),
    );
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    expect(seen.member1.map(({ impersonatedUser }) => impersonatedUser)).toEqual(['alice']);
    const kubeconfig = await fleet.product.userKubeconfig('alice', ['people']);
    const refused = await witnessed(() =>
      fleet.product.kubectl('get', 'pods', '-A', '--as', 'fleet:admin', { kubeconfig }),
    );
    expect(refused.result.stderr).toContain('User "alice" cannot impersonate resource "users"');
    expect(refused.seen).toEqual({ member1: [], member2: [] });
  });
});

describe('AUTHZ-2: the control plane decides first', () => {
  test('without a right there: 403, and no line in any member’s audit log', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('carol');
    for (const ask of [
      ['get', 'pods', '-A'],
      ['get', '--raw', '/api/v1/namespaces/default/pods/x.clusterspace.member1'],
      ['get', '--raw', `${memberProxy('member1')}/api/v1/pods`],
      ['get', '--raw', '/clusterspaces/member2/api/v1/pods'],
      ['exec', 'x.clusterspace.member1', '--', 'true'],
    ]) {
      const { result, seen } = await witnessed(() => fleet.product.kubectl(...ask, { kubeconfig }));
      expect(result.stderr, ask.join(' ')).toContain('Error from server (Forbidden)');
      expect(seen, ask.join(' ')).toEqual({ member1: [], member2: [] });
    }
  });

  test('permission for one cluster by name reaches that one, and the others hear nothing', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('dora');
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    expect(seen.member2).toEqual([]);
    const denied = await fleet.product.kubectl('get', '--raw', '/clusterspaces/member2/api/v1/pods', { kubeconfig });
    expect(denied.stderr).toContain('clusterspaces.cluster.karmada.io "member2" is forbidden: User "dora" cannot list');
  });

  test('who may get, list and watch only reads: no exec by WebSocket, though the member would allow it', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('rita');
    const pods = await fleet.product.kubectl('get', 'pods', '-o', 'name', { kubeconfig, at: '/clusterspaces/member1' });
    const pod = pods.stdout.split('\n')[0]!.replace('pod/', '');
    expect(pod).not.toBe('');
    for (const [at, name] of [
      ['/clusterspaces/member1', pod],
      [memberProxy('member1'), pod],
      ['/clusters/member1', pod],
      ['', `${pod}.clusterspace.member1`],
    ] as const) {
      const { result, seen } = await witnessed(() =>
        fleet.product.kubectl('exec', name, '--', 'echo', 'inside', { kubeconfig, at }),
      );
      expect(result.stdout, at).toBe('');
      expect(result.stderr, at).toMatch(/forbidden|Forbidden/);
      expect(
        seen.member1.filter(({ objectRef }) => objectRef?.subresource === 'exec'),
        at,
      ).toEqual([]);
    }
  });

  test('RV-2: the version of a list names only the clusters that answered', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('dora');
    const { stdout } = await fleet.product.kubectl('get', '--raw', '/api/v1/pods', { kubeconfig });
    const { resourceVersion } = JSON.parse(stdout).metadata as { resourceVersion: string };
    expect(Object.keys(JSON.parse(Buffer.from(resourceVersion, 'base64url').toString()))).toEqual(['member1']);
  });
});

describe('AUTHZ-2 AUTHZ-3: permissions over time', () => {
  const timeout = 60_000;
  const path = '/api/v1/namespaces/default/configmaps';
  const open: Watching[] = [];

  beforeAll(async () => {
    const watching = (name: Name) => role(`watch-${name}`, reaching(['get', 'list', 'watch'], [name]));
    await apply(fleet.controlPlane, watching('member1'), watching('member2'));
    for (const name of ['member1', 'member2'] as const) {
      for (const user of ['frank', 'grace']) {
        await apply(fleet.controlPlane, binding(`${user}-${name}`, `watch-${name}`, { kind: 'User', name: user }));
        await apply(fleet.members[name], binding(user, 'view', { kind: 'User', name: user }));
      }
    }
  });
  afterEach(() => {
    for (const watching of open.splice(0)) watching.close();
  });

  const listVersion = async (user: string, product = fleet.product) => {
    const { stdout } = await product.kubectl('get', '--raw', path, '--as', user);
    return (JSON.parse(stdout) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  };
  const watch = async (user: string, version: string, product = fleet.product) => {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${version}`;
    const watching = await Watching.open(product, `${path}?${query}`, undefined, {
      'impersonate-user': user,
    });
    open.push(watching);
    return watching;
  };
  let made = 0;
  const makeIn = async (name: Name) => {
    const object = `over-time-${made++}`;
    await fleet.members[name].kubectl('create', 'configmap', object);
    return `ADDED ${object}.clusterspace.${name}`;
  };
  const revokeInMember2 = async () => {
    await fleet.members.member2.kubectl('delete', 'clusterrolebinding', 'grace');
    const canWatch = ['auth', 'can-i', 'watch', 'configmaps', '-n', 'default', '--as', 'grace'];
    await until('member2 has heard', async () => (await fleet.members.member2.kubectl(...canWatch)).code !== 0);
  };

  test('revoked in the control plane: an open stream ends with 410 within 10 s', { timeout }, async () => {
    const watching = await watch('frank', await listVersion('frank'));
    const first = await makeIn('member2');
    await watching.until('an event', ({ received }) => received.includes(first));
    await fleet.controlPlane.kubectl('delete', 'clusterrolebinding', 'frank-member2');
    await watching.until('the end', ({ ended }) => ended, 10_000);
    expect(watching.lines.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('revoked in a member: a new watch does not join the feed that is open', { timeout }, async () => {
    const version = await listVersion('grace');
    const before = await watch('grace', version);
    const first = await makeIn('member2');
    await before.until('an event', ({ received }) => received.includes(first));
    await revokeInMember2();
    const after = await watch('grace', version);
    await after.until('the end', ({ ended }) => ended);
    expect(after.lines).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    const own = await makeIn('member1');
    await before.until('what is open goes on', ({ received }) => received.includes(own));
    await apply(fleet.members.member2, binding('grace', 'view', { kind: 'User', name: 'grace' }));
  });

  test('negative control: a product that does not ask the member is noticed', { timeout }, async () => {
    const product = await fleet.withMutant({
      file: 'server/src/watch/member-permissions.ts',
      from: 'const answer = await this.ask(cluster, position, asker);',
      to: "const answer: Permission = { is: 'allowed' };",
    });
    await until('she may again', async () => 'member2' in entriesOf(await listVersion('grace', product)));
    const version = await listVersion('grace', product);
    const before = await watch('grace', version, product);
    const first = await makeIn('member2');
    await before.until('an event', ({ received }) => received.includes(first));
    await revokeInMember2();
    const after = await watch('grace', version, product);
    await after.until('an event', ({ received }) => received.includes(first));
  });
});

// The control plane in the product signs no certificates.
describe.skipIf(isEmbedded)('AUTHN-3: fleet create user away from the data directory', () => {
  test('the control plane signs, the fleet knows the user, and no request is left', async () => {
    const kubeconfig = `${fleet.controlPlane.kubeconfig}-of-henry`;
    const away = `${fleet.controlPlane.kubeconfig}-of-the-fleet`;
    await copyFile(fleet.product.adminKubeconfig, away);
    const { product } = fleet;
    const flags = ['--group', 'people', '--output', kubeconfig, '--fleet-kubeconfig', away];
    const created = await product.fleet('create', 'user', 'henry', ...flags);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const whoami = await product.kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo}', { kubeconfig });
    expect(JSON.parse(whoami.stdout)).toMatchObject({ username: 'henry', groups: ['people', 'system:authenticated'] });
    expect((await fleet.controlPlane.kubectl('get', 'csr', '-o', 'name')).stdout).toBe('');
  });
});

describe('IMP-5: no namesakes', () => {
  test('a ServiceAccount of the control plane is not the member’s of the same name', async () => {
    const token = (await fleet.controlPlane.kubectl('create', 'token', 'builder')).stdout.trim();
    const kubeconfig = await fleet.product.tokenKubeconfig(token);
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect(result.stderr).toContain('User "fleet:serviceaccount:default:builder" cannot list resource "pods"');
    for (const name of ['member1', 'member2'] as const) {
      expect(seen[name].map(asWhom)).toEqual([
        {
          impersonatedUser: 'fleet:serviceaccount:default:builder',
          impersonatedGroups: ['fleet:serviceaccounts', 'fleet:serviceaccounts:default', 'system:authenticated'],
          code: 403,
        },
      ]);
    }
  });

  test('system:masters of the control plane is nobody special in a member', async () => {
    const kubeconfig = await controlPlaneUser('root', ['system:masters']);
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect(result.stderr).toContain('User "root" cannot list resource "pods"');
    expect(seen.member1.map(asWhom)).toEqual([
      { impersonatedUser: 'root', impersonatedGroups: ['system:authenticated'], code: 403 },
    ]);
    // In the control plane itself it is what it is.
    const own = await fleet.product.kubectl('get', 'secrets', '-A', { kubeconfig, at: '/clusterspaces/karmada' });
    expect(own.code).toBe(0);
  });

  test('names in the product’s own space count only from its own CA', async () => {
    // The embedded control plane's CA is that of the product it is in; another product on it has its own.
    const another = { controlPlane: fleet.controlPlane, sharesControlPlane: true };
    await using apart = isEmbedded ? await startProduct(another) : undefined;
    const product = apart ?? fleet.product;
    const claimed = await controlPlaneUser('fleet:admin', ['system:masters', 'fleet:admins'], product);
    const refused = await witnessed(() => product.kubectl('get', 'pods', '-A', { kubeconfig: claimed }));
    expect(refused.result.stderr).toContain('User "fleet:admin" has no identity in member clusters');
    expect(refused.seen).toEqual({ member1: [], member2: [] });
    const grouped = await controlPlaneUser('mallory', ['system:masters', 'fleet:admins'], product);
    const { seen } = await witnessed(() => product.kubectl('get', 'pods', '-A', { kubeconfig: grouped }));
    expect(seen.member1.map(asWhom)).toEqual([
      { impersonatedUser: 'mallory', impersonatedGroups: ['system:authenticated'], code: 403 },
    ]);
  });

  test('system: users other than ServiceAccounts are refused before any member hears of them', async () => {
    const kubeconfig = await controlPlaneUser('system:kube-scheduler', ['system:masters']);
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect(result.stderr).toContain('User "system:kube-scheduler" has no identity in member clusters');
    expect(seen).toEqual({ member1: [], member2: [] });
  });
});

describe('negative controls', () => {
  test('an authoriser that skips the right is noticed by the audit log', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/authz/authorize.ts',
      from: 'return clusters.filter((_, index) => answers[index]);',
      to: 'return answers.length ? [...clusters] : [];',
    });
    const kubeconfig = await product.userKubeconfig('carol');
    const { seen } = await witnessed(() => product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect(seen.member1.map(({ impersonatedUser }) => impersonatedUser)).toEqual(['carol']);
  });

  test('an impersonation that keeps system:masters is noticed by the audit log', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/members/impersonation.ts',
      from: ".filter((group) => !group.startsWith('system:') || allowed.has(group))",
      to: '',
    });
    const { seen } = await witnessed(() =>
      product.kubectl('get', 'pods', '-A', '--as', 'eve', '--as-group', 'system:masters'),
    );
    // The member itself refuses an impersonator that may name any group but this one, or lets it in: both are seen.
    expect(seen.member1.map(({ impersonatedGroups }) => impersonatedGroups.includes('system:masters'))).toEqual([true]);
  });
});
