/** Rights: first the control plane's, then the member's own, with the members' audit logs as witness. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import { isEmbedded } from '@fleet/bed/embedded-control-plane.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { openWitness } from '@fleet/bed/witness.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

type Name = 'member1' | 'member2';
let fleet: Fleet<Name>;

const role = (name: string, rules: unknown[]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

const binding = (name: string, to: string, subject: { kind: 'User' | 'Group'; name: string }) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
});

const rule = (verbs: string[], resourceNames?: string[]) => ({
  apiGroups: ['cluster.karmada.io'],
  resources: ['clusterspaces', 'clusters/proxy'],
  verbs,
  ...(resourceNames ? { resourceNames } : {}),
});

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
  const { controlPlane, members } = fleet;
  const list = (items: unknown[]) => ({ stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const made = await Promise.all([
    controlPlane.kubectl(
      ...['apply', '-f', '-'],
      list([
        role('reach-all', [rule(['*'])]),
        role('reach-member1', [rule(['get', 'list'], ['member1'])]),
        binding('reach-all-people', 'reach-all', { kind: 'Group', name: 'people' }),
        binding('reach-all-builder', 'reach-all', { kind: 'User', name: 'system:serviceaccount:default:builder' }),
        binding('reach-member1-dora', 'reach-member1', { kind: 'User', name: 'dora' }),
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'default' } },
      ]),
    ),
    members.member1.kubectl(
      ...['apply', '-f', '-'],
      list([
        binding('alice', 'view', { kind: 'User', name: 'alice' }),
        // Its own account of the same name may do all: the control plane's must not be taken for it.
        binding('builder', 'cluster-admin', { kind: 'User', name: 'system:serviceaccount:default:builder' }),
        binding('dora', 'view', { kind: 'User', name: 'dora' }),
      ]),
    ),
    members.member2.kubectl(
      ...['apply', '-f', '-'],
      list([
        binding('dora', 'view', { kind: 'User', name: 'dora' }),
        binding('builder', 'cluster-admin', { kind: 'User', name: 'system:serviceaccount:default:builder' }),
      ]),
    ),
  ]);
  expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(made.map(() => ({ code: 0, stderr: '' })));
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** Runs `act`, then tells what each member wrote down about pods meanwhile. */
async function witnessed<T>(act: () => Promise<T>): Promise<{ result: T; seen: Record<Name, AuditEntry[]> }> {
  const names = ['member1', 'member2'] as const;
  const open = await Promise.all(
    names.map(async (name) => {
      const witness = await openWitness(fleet.members[name].auditLog);
      return { name, witness, mark: witness.mark() };
    }),
  );
  const result = await act();
  const seen = await Promise.all(
    open.map(async ({ name, witness, mark }) => {
      const entries = await witness.all(mark, (path) => fleet.members[name].api.ask(path));
      return [name, entries.filter(({ objectRef }) => objectRef?.resource === 'pods')] as const;
    }),
  );
  return { result, seen: Object.fromEntries(seen) as Record<Name, AuditEntry[]> };
}

const clustersIn = (stdout: string): string[] =>
  [...new Set([...stdout.matchAll(/\.clusterspace\.(\S+)/g)].map(([, name]) => name!))].sort();

const asWhom = ({ impersonatedUser, impersonatedGroups, code }: AuditEntry) => ({
  impersonatedUser,
  impersonatedGroups,
  code,
});

/** A user of the control plane's own CA, at the product's address. */
async function controlPlaneUser(user: string, groups: string[], product = fleet.product): Promise<string> {
  const own = await readFile(await fleet.controlPlane.userKubeconfig(user, groups), 'utf8');
  const ca = Buffer.from(product.ca).toString('base64');
  const path = join(product.dataDir, `${encodeURIComponent(user)}.kubeconfig`);
  const moved = own
    .replace(/server: .*/, `server: ${product.server}`)
    .replace(/certificate-authority-data: .*/, `certificate-authority-data: ${ca}`);
  await writeFile(path, moved, { mode: 0o600 });
  return path;
}

describe('AUTHZ-3 LIST-3: the member decides', () => {
  test('a user with rights in member1 only sees member1 only, without a word', async () => {
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

  test('IMP-2: --as needs the right in the control plane, and the member sees whom it names', async () => {
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

  test('a right to one cluster by name reaches that one, and the others hear nothing', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('dora');
    const { result, seen } = await witnessed(() => fleet.product.kubectl('get', 'pods', '-A', { kubeconfig }));
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(clustersIn(result.stdout)).toEqual(['member1']);
    expect(seen.member2).toEqual([]);
    const denied = await fleet.product.kubectl('get', '--raw', '/clusterspaces/member2/api/v1/pods', { kubeconfig });
    expect(denied.stderr).toContain('clusterspaces.cluster.karmada.io "member2" is forbidden: User "dora" cannot list');
  });

  test('RV-2: the version of a list names only the clusters that answered', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('dora');
    const { stdout } = await fleet.product.kubectl('get', '--raw', '/api/v1/pods', { kubeconfig });
    const { resourceVersion } = JSON.parse(stdout).metadata as { resourceVersion: string };
    expect(Object.keys(JSON.parse(Buffer.from(resourceVersion, 'base64url').toString()))).toEqual(['member1']);
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
