/** What `kubectl auth can-i` prints in merged views, beside what then happens. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';
import { apply, binding, reach, role } from './rbac.ts';
import { watchMember } from './seen.ts';

let fleet: Fleet<'member1' | 'member2'>;
const kubeconfigs: Record<string, string> = {};

const user = (name: string) => ({ kind: 'User', name }) as const;
const cluster = (verbs: string[], name: string) => ({
  apiGroups: ['cluster.karmada.io'],
  resources: ['clusterspaces', 'clusters/proxy'],
  resourceNames: [name],
  verbs,
});

/**
 * alice reads in member1 and changes in member2; bob reads in member2 alone.
 * carol may do all in both, but only read through the product, and only in member1.
 */
beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', nodes: 0 },
    member2: { version: 'older', nodes: 0 },
  });
  const { controlPlane, members, product } = fleet;
  await apply(
    controlPlane,
    reach,
    role('read-member1', cluster(['get', 'list'], 'member1')),
    role('reader-of-clusters', { apiGroups: ['cluster.karmada.io'], resources: ['clusters'], verbs: ['list'] }),
    binding('people', 'reach', { kind: 'Group', name: 'people' }),
    binding('carol', 'read-member1', user('carol')),
    binding('alice', 'reader-of-clusters', user('alice')),
  );
  const admin = binding('carol', 'cluster-admin', user('carol'));
  await apply(members.member1, binding('alice', 'view', user('alice')), admin);
  await apply(
    members.member2,
    binding('alice', 'edit', user('alice')),
    binding('bob', 'view', user('bob')),
    role('reader-of-x', { apiGroups: [''], resources: ['secrets'], resourceNames: ['x'], verbs: ['get'] }),
    binding('bob-x', 'reader-of-x', user('bob')),
    admin,
  );
  for (const name of ['alice', 'bob']) kubeconfigs[name] = await product.userKubeconfig(name, ['people']);
  kubeconfigs['carol'] = await product.userKubeconfig('carol');
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

async function canI(who: string, at: string | undefined, question: string): Promise<string> {
  const kubeconfig = kubeconfigs[who]!;
  const { code, stdout } = await fleet.product.kubectl('auth', 'can-i', ...question.split(' '), {
    kubeconfig,
    ...(at ? { at } : {}),
  });
  const answers = stdout.split(' ')[0]!.trim();
  expect(code, stdout).toBe(answers === 'yes' ? 0 : 1);
  return answers;
}

const views = [
  { view: 'vanilla', at: undefined },
  { view: 'clusterspaces/all', at: '/clusterspaces/all' },
  { view: 'clusters/*/proxy', at: memberProxy('*') },
];

const questions: [question: string, alice: string, bob: string, carol: string][] = [
  ['list pods', 'yes', 'yes', 'yes'],
  ['list pods -A', 'yes', 'yes', 'yes'],
  ['create deployments.apps', 'yes', 'no', 'no'],
  ['create deployments.apps -n default.clusterspace.member1', 'no', 'no', 'no'],
  ['create deployments.apps -n default.clusterspace.member2', 'yes', 'no', 'no'],
  ['get pods/x.clusterspace.member1', 'yes', 'no', 'yes'],
  ['get pods/x.clusterspace.member2', 'yes', 'yes', 'no'],
  ['get secrets/x', 'yes', 'yes', 'yes'],
  ['get secrets/y', 'yes', 'no', 'yes'],
  ['get secrets/x.clusterspace.member1', 'no', 'no', 'yes'],
  ['get secrets/x.clusterspace.member2', 'yes', 'yes', 'no'],
  ['delete nodes', 'no', 'no', 'no'],
  ['get pods --subresource=log', 'yes', 'yes', 'yes'],
  ['get /version', 'yes', 'yes', 'yes'],
  ['get /metrics', 'no', 'no', 'no'],
  ['impersonate users', 'no', 'no', 'no'],
];

describe.each(views)('AUTHZ-4: kubectl auth can-i, $view', ({ at }) => {
  test.each(questions)('%s: alice %s, bob %s, carol %s', async (question, alice, bob, carol) => {
    const answers = await Promise.all(['alice', 'bob', 'carol'].map((who) => canI(who, at, question)));
    expect(answers).toEqual([alice, bob, carol]);
  });

  test('whoami is the control plane’s answer', async () => {
    const { stdout } = await fleet.product.kubectl('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}', {
      kubeconfig: kubeconfigs['alice']!,
      ...(at ? { at } : {}),
    });
    expect(stdout).toBe('alice');
  });
});

/** The proxy to any member shows members’ kinds alone, so kubectl there does not know this one. */
test.each(views.slice(0, 2))('AUTHZ-4: the fleet’s own kinds are the control plane’s, $view', async ({ at }) => {
  const answers = await Promise.all(
    ['alice', 'bob', 'carol'].map((who) => canI(who, at, 'list clusters.cluster.karmada.io')),
  );
  expect(answers).toEqual(['yes', 'no', 'no']);
});

/** The verbs that a printed list of rules gives for a resource. */
async function listed(who: string, resource: string, at: string | undefined, ...args: string[]): Promise<string[]> {
  const options = { kubeconfig: kubeconfigs[who]!, ...(at ? { at } : {}) };
  const { code, stdout } = await fleet.product.kubectl('auth', 'can-i', '--list', ...args, options);
  expect(code).toBe(0);
  const rows = stdout.split('\n').filter((line) => line.startsWith(`${resource} `));
  return rows.flatMap((row) => /\[([^\]]*)\]\s*$/.exec(row)![1]!.split(' ')).sort();
}

describe.each(views)('AUTHZ-4: kubectl auth can-i --list, $view', ({ at }) => {
  const read = ['get', 'list', 'watch'];
  const change = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

  test('the union of the members', async () => {
    expect(new Set(await listed('alice', 'deployments.apps', at))).toEqual(new Set(change));
    expect(await listed('bob', 'deployments.apps', at)).toEqual(read);
    expect(await listed('alice', 'clusters.cluster.karmada.io', at)).toEqual(['list']);
  });

  test('one member by its namespace', async () => {
    const inMember = (who: string, name: string) =>
      listed(who, 'deployments.apps', at, '-n', `default.clusterspace.${name}`);
    expect(await inMember('alice', 'member1')).toEqual(read);
    expect(new Set(await inMember('alice', 'member2'))).toEqual(new Set(change));
    expect(await inMember('bob', 'member1')).toEqual([]);
  });

  test('AUTHZ-2: an administrator of members who may only read through the product may only read', async () => {
    // A proxy's right to get is one to list and to watch.
    const verbs = at === memberProxy('*') ? read : ['get', 'list'];
    expect(await listed('carol', '*.*', at)).toEqual(verbs);
    expect(await listed('carol', '*.*', at, '-n', 'default.clusterspace.member2')).toEqual([]);
  });
});

describe('who is asked', () => {
  test('AUTHZ-4: a suffix asks its member alone, by plain name, as the user', async () => {
    const seen1 = await watchMember(fleet.members.member1);
    const seen2 = await watchMember(fleet.members.member2);
    await canI('bob', undefined, 'get pods/x.clusterspace.member2');
    const isReview = ({ objectRef }: { objectRef?: { resource?: string } }) =>
      objectRef?.resource === 'selfsubjectaccessreviews';
    expect((await seen1()).filter(isReview)).toEqual([]);
    expect((await seen2()).filter(isReview)).toMatchObject([{ impersonatedUser: 'bob', code: 201 }]);
  });

  test('AUTHZ-4: about others, the suffix’s member, else the control plane', async () => {
    const review = async (name: string) => {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'bob', groups: ['people'], resourceAttributes: { verb: 'get', resource: 'pods', name } },
      };
      const answer = await fleet.product.api.object<{ status: { allowed: boolean } }>(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        { method: 'POST', body },
      );
      return answer.status.allowed;
    };
    expect(await review('x.clusterspace.member1')).toBe(false);
    expect(await review('x.clusterspace.member2')).toBe(true);
    expect(await review('x')).toBe(false);
  });
});

describe('negative control', () => {
  test('a product that forgets the permission of AUTHZ-2 answers yes to carol', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/authz/authorize.ts',
      from: 'verbs.filter((_, index) => reached[index]?.includes(cluster))',
      to: 'verbs.filter((_, index) => reached[index] !== undefined && cluster !== "")',
    });
    const kubeconfig = await product.userKubeconfig('carol');
    const { stdout } = await product.kubectl('auth', 'can-i', 'create', 'deployments.apps', { kubeconfig });
    expect(stdout).toBe('yes\n');
  });
});

describe('AUTHZ-4: while member2 is silent', () => {
  beforeAll(() => fleet.members.member2.faults.freeze());
  afterAll(() => fleet.members.member2.faults.thaw());
  const ask = (who: string, ...question: string[]) =>
    fleet.product.kubectl('auth', 'can-i', ...question, { kubeconfig: kubeconfigs[who]! });

  test('what member1 allows is allowed', async () => {
    expect(await ask('alice', 'list', 'pods')).toEqual({ code: 0, stdout: 'yes\n', stderr: '' });
  });

  test('a no that may be wrong names who did not answer', async () => {
    expect(await ask('bob', 'list', 'pods')).toMatchObject({ code: 1, stdout: 'no - no answer from "member2"\n' });
    const { stderr } = await ask('bob', '--list');
    expect(stderr).toContain('no answer from "member2"');
  });

  test('NAME-8: the silent one itself is an error', async () => {
    const { code, stdout, stderr } = await ask('bob', 'get', 'pods/x.clusterspace.member2');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('"member2"');
  }, 90_000);
});
