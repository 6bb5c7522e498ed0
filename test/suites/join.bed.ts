/** `fleet join` between a real control plane and a real member: what it makes, and what is left when it fails. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Member } from '@fleet/bed/member.ts';
import { fleetCommand, type Product } from '@fleet/bed/product.ts';
import { grants } from '@fleet/cli/join/grants.ts';
import { startConnectProxy } from '@fleet/client/testing/proxies.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Joining, objects } from './joining.ts';
import { wayAround } from './way-around.ts';

let on: Joining;
let member: Member;
let product: Product;

beforeAll(async () => {
  on = await Joining.start();
  ({ member, product } = on);
});

afterAll(() => on?.[Symbol.asyncDispose]());

interface Rule {
  verbs: string[];
  resources?: string[];
  nonResourceURLs?: string[];
}

/** All that a ServiceAccount may do in kube-system and in the cluster, as the member returns it. */
async function rulesOf(namespace: string, account: string): Promise<Rule[]> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const as = `system:serviceaccount:${namespace}:${account}`;
  const { stdout, stderr } = await member.kubectl('create', '--raw', path, '-f', '-', '--as', as, {
    stdin: JSON.stringify({ kind: 'SelfSubjectRulesReview', spec: { namespace: 'kube-system' } }),
  });
  expect(stderr).toBe('');
  const { status } = JSON.parse(stdout) as { status: { resourceRules: Rule[]; nonResourceRules: Rule[] } };
  return [...status.resourceRules, ...status.nonResourceRules];
}

describe('a member that is joined', () => {
  let before: Awaited<ReturnType<Joining['bothSides']>>;

  beforeAll(async () => {
    before = await on.bothSides();
    await product.join(member, 'member1', '--region', 'north');
  });

  test('CLU-2: the cluster is registered with its credentials, and ready', async () => {
    const cluster = JSON.parse((await product.fleet('get', 'clusters', 'member1', '-o', 'json')).stdout);
    const { metadata } = await member.api.object<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
    expect(cluster.spec).toMatchObject({
      id: metadata.uid,
      syncMode: 'Push',
      apiEndpoint: member.server,
      secretRef: { namespace: 'karmada-cluster', name: 'member1' },
      impersonatorSecretRef: { namespace: 'karmada-cluster', name: 'member1-impersonator' },
      region: 'north',
    });
    for (const name of ['member1', 'member1-impersonator']) {
      const path = `/api/v1/namespaces/karmada-cluster/secrets/${name}`;
      const { data } = await on.controlPlane.api.object<{ data: Record<string, string> }>(path);
      expect(Object.keys(data).sort()).toEqual(['caBundle', 'token']);
    }
  });

  test('CLU-1: get clusters shows version, mode, ready and age, and wide: endpoint, region, nodes', async () => {
    const [head, row] = (await product.fleet('get', 'clusters')).stdout.split('\n');
    expect(head).toMatch(/^NAME +VERSION +MODE +READY +AGE$/);
    expect(row).toMatch(/^member1 +v1\.34\.4 +Push +True +\d+/);
    const wide = await product.kubectl('get', 'clusters', '-o', 'wide', { at: '/clusterspaces/karmada' });
    expect(wide.stdout).toMatch(/AGE +APIENDPOINT +REGION +NODES\n.*north/);
  });

  test('CLU-2: joining again changes nothing', async () => {
    const [there, here] = await Promise.all([objects(member), objects(on.controlPlane)]);
    const again = await on.joinAs('member1', '--region', 'north');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('9 kept') });
    expect(await objects(member)).toEqual(there);
    expect(await objects(on.controlPlane)).toEqual(here);
  });

  test('CLU-2: joining again repairs what is missing', async () => {
    const complete = await on.bothSides();
    await member.kubectl('delete', 'clusterrole', 'fleet:impersonation', 'fleet:health');
    await member.kubectl('delete', 'serviceaccount', '-n', 'fleet-system', 'fleet-impersonator');
    await on.controlPlane.kubectl('delete', 'secret', '-n', 'karmada-cluster', 'member1-impersonator');
    expect(await on.joinAs('member1')).toMatchObject({ code: 0 });
    expect(await on.bothSides()).toEqual(complete);
    await expect
      .poll(async () => (await product.kubectl('get', 'namespaces', { at: '/clusterspaces/member1' })).code)
      .toBe(0);
  });

  test('CLU-2: the same member under another name is refused, and nothing is touched', async () => {
    const there = await objects(member);
    const refused = await on.joinAs('other');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already registered as "member1"') });
    expect(await objects(member)).toEqual(there);
    expect(await on.clusters()).toBe('cluster.cluster.karmada.io/member1');
  });

  test.each(['fleet-control', 'fleet-impersonator'])(
    'IMP-6: %s has the permissions listed, and no others',
    async (account) => {
      const listed = grants.filter((grant) => grant.account === account).flatMap(({ rules }) => rules);
      // an account without any binding has what the member gives to everybody
      const everybody = await rulesOf('default', 'default');
      const texts = (rules: Rule[]) =>
        [...new Set(rules.map((rule) => JSON.stringify(Object.entries(rule).sort())))].sort();
      expect(texts(await rulesOf('fleet-system', account))).toEqual(texts([...listed, ...everybody]));
    },
  );

  test.each([
    ['get', 'secrets'],
    ['list', 'configmaps'],
    ['create', 'pods'],
    ['delete', 'nodes'],
    ['escalate', 'clusterroles'],
    ['impersonate', 'users'],
  ])('IMP-6: fleet-control may not %s %s', async (verb, resource) => {
    const as = 'system:serviceaccount:fleet-system:fleet-control';
    expect((await member.kubectl('auth', 'can-i', verb, resource, '-A', '--as', as)).stdout.trim()).toBe('no');
  });

  test('fleet kubeconfig --cluster leads to that member', async () => {
    const kubeconfig = join(product.dataDir, 'member1.kubeconfig');
    await writeFile(kubeconfig, (await product.fleet('kubeconfig', '--cluster', 'member1')).stdout);
    const named = await product.kubectl('get', 'namespace', 'fleet-system', '-o', 'name', { kubeconfig });
    expect(named).toMatchObject({ code: 0, stdout: 'namespace/fleet-system\n' });
    expect(await product.fleet('kubeconfig', '--cluster', 'nowhere')).toMatchObject({ code: 1 });
  });

  test('CLU-2: unjoin through the fleet removes all of it from both sides', async () => {
    expect(await product.fleet('unjoin', 'member1')).toMatchObject({ code: 0 });
    await expect.poll(() => on.bothSides(), { timeout: 20_000 }).toEqual(before);
    expect(await on.clusters()).toBe('');
  });
});

describe('a join that fails', () => {
  afterEach(async () => {
    await member.kubectl('delete', 'clusterrolebinding,clusterrole', 'bed:half');
  });

  test('CLU-2: without any permission in the member nothing is made, and the error names what is needed', async () => {
    const before = await on.bothSides();
    const nobody = await member.userKubeconfig('nobody');
    const failed = await product.fleet('join', 'member1', '--kubeconfig', nobody);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a user with cluster-admin') });
    expect(await on.bothSides()).toEqual(before);
  });

  test('CLU-2: what was made before the failing step is undone', async () => {
    const verbs = '--verb=get,list,create,delete,patch';
    await member.kubectl('create', 'clusterrole', 'bed:half', verbs, '--resource=namespaces,serviceaccounts,secrets');
    await member.kubectl('create', 'clusterrolebinding', 'bed:half', '--clusterrole=bed:half', '--user=half');
    const before = await on.bothSides();
    const failed = await product.fleet('join', 'member1', '--kubeconfig', await member.userKubeconfig('half'));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Undo what this run made') });
    expect(failed.stderr).toContain('clusterroles.rbac.authorization.k8s.io');
    expect(await on.bothSides()).toEqual(before);
  });

  test('CLU-2: a member that the fleet cannot reach is undone on both sides', async () => {
    const before = await on.bothSides();
    await using way = await wayAround(member, product.pid);
    const failed = await product.fleet('join', 'member1', '--kubeconfig', way.kubeconfig, '--timeout', '3');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('did not report the member ready') });
    expect(await on.bothSides()).toEqual(before);
    expect(await on.clusters()).toBe('');
  });
});

describe('a join that is interrupted', () => {
  test('CLU-2: Ctrl-C undoes what was made', async () => {
    const before = await on.bothSides();
    await using way = await wayAround(member, product.pid);
    const child = spawn(process.execPath, [fleetCommand, 'join', 'member1', '--kubeconfig', way.kubeconfig], {
      env: { ...process.env, FLEET_KUBECONFIG: product.adminKubeconfig },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const printed = text(child.stderr);
    // listened for from the start: one that ends before its time is a failure, not something to wait for
    const closed = once(child, 'close');
    // it waits for the fleet to report the member ready, which never comes
    await expect.poll(() => on.clusters(), { timeout: 20_000 }).toBe('cluster.cluster.karmada.io/member1');
    child.kill('SIGINT');
    expect(await closed, await printed).toEqual([130, null]);
    expect(await printed).toMatch(/Undo what this run made\nerror: interrupted\n$/);
    expect(await on.bothSides()).toEqual(before);
  });
});

describe('CLU-5: a member that only a proxy reaches', () => {
  /** In its certificate, but of no address outside. */
  const host = 'kubernetes.default.svc';

  async function kubeconfigWith(line: string): Promise<string> {
    const path = `${member.kubeconfig}-by-name`;
    const { port } = new URL(member.server);
    const own = await readFile(member.kubeconfig, 'utf8');
    await writeFile(path, own.replace(`server: ${member.server}`, `server: https://${host}:${port}\n      ${line}`));
    return path;
  }

  test('CLU-2: fleet join uses the transport of its kubeconfig, the product takes the same, and so does unjoin', async () => {
    const before = await on.bothSides();
    await using proxy = await startConnectProxy(undefined, undefined, { [host]: '127.0.0.1' });
    const kubeconfig = await kubeconfigWith(`proxy-url: http://${proxy.address}`);
    expect(await product.fleet('join', 'member1', '--kubeconfig', kubeconfig)).toMatchObject({ code: 0 });
    const { spec } = JSON.parse((await product.fleet('get', 'clusters', 'member1', '-o', 'json')).stdout);
    expect(spec).toMatchObject({ proxyURL: `http://${proxy.address}`, apiEndpoint: expect.stringContaining(host) });
    const named = await product.kubectl('get', 'namespace', 'fleet-system', '-o', 'name', {
      at: '/clusterspaces/member1',
    });
    expect(named).toMatchObject({ code: 0, stdout: 'namespace/fleet-system\n' });
    expect(new Set(proxy.targets)).toEqual(new Set([`${host}:${new URL(member.server).port}`]));
    expect(await product.fleet('unjoin', 'member1', '--kubeconfig', kubeconfig)).toMatchObject({ code: 0 });
    await expect.poll(() => on.bothSides(), { timeout: 20_000 }).toEqual(before);
  });

  test('negative control: without the proxy there is no way to it', async () => {
    const before = await on.bothSides();
    const failed = await product.fleet('join', 'member1', '--kubeconfig', await kubeconfigWith(''));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(host) });
    expect(await on.bothSides()).toEqual(before);
  });
});
