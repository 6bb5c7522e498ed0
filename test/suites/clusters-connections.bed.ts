/** The way to a member: credentials that change (CLU-4), proxies (CLU-5). */

import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { startConnectProxy, startSocksProxy } from '@fleet/client/testing/proxies.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clustersOf } from './cluster-object.ts';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  const flags = ['--cluster-secret-namespaces', 'default'];
  fleet = await startFleet({ member1: { version: 'newest', workloads: true } }, undefined, flags);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const { condition, patchCluster } = clustersOf(() => fleet);
const at = '/clusterspaces/member1';
const ask = (product: Product = fleet.product) => product.api.ask(`${at}/api/v1/namespaces/default`);

describe('CLU-4: a credential that changes', () => {
  /** A new token of an account of the member, of which it returns nothing but the bytes. */
  async function newToken(account: string, name: string): Promise<string> {
    const manifest = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name, namespace: 'fleet-system', annotations: { 'kubernetes.io/service-account.name': account } },
    };
    await fleet.members.member1.kubectl('create', '-f', '-', { stdin: JSON.stringify(manifest) });
    return until('the token is there', async () => {
      const path = `/api/v1/namespaces/fleet-system/secrets/${name}`;
      const { data } = await fleet.members.member1.api.object<{ data?: { token?: string } }>(path);
      return data?.token;
    });
  }

  /** Gives the product new tokens, and takes the old ones away from the member. */
  async function rotate(old: string, next: string): Promise<void> {
    const accounts = { 'fleet-control': 'member1', 'fleet-impersonator': 'member1-impersonator' };
    for (const [account, secret] of Object.entries(accounts)) {
      const token = await newToken(account, `${account}-${next}`);
      // people make Secrets with editors
      const withNewline = Buffer.from(`${Buffer.from(token, 'base64')}\n`).toString('base64');
      const patch = JSON.stringify({ data: { token: withNewline } });
      await fleet.controlPlane.kubectl(
        ...['patch', 'secret', secret, '-n', 'karmada-cluster', '--type=merge', '-p', patch],
      );
    }
    const olds = Object.keys(accounts).map((account) => `${account}-${old}`);
    await fleet.members.member1.faults.revokeTokens('fleet-system', ...olds);
  }

  test('is used from the next request on; the old one may go, and open streams go on', async () => {
    const watching = fleet.product.startKubectl({ at }, 'get', 'configmaps', '--watch', '-o', 'name');
    let seen = '';
    watching.stdout.on('data', (bytes) => {
      seen += String(bytes);
    });
    await until('the watch is open', async () => seen.includes('configmap/'));

    let rotated = false;
    const codes = (async () => {
      const heard = new Set<number>();
      do heard.add((await ask()).code);
      while (!rotated);
      return heard;
    })();
    await rotate('token', 'rotated');
    rotated = true;
    expect(await codes).toEqual(new Set([200]));
    for (let i = 0; i < 20; i++) expect((await ask()).code).toBe(200);
    await fleet.members.member1.kubectl('create', 'configmap', 'after-rotation');
    await until('the old watch goes on', async () => seen.includes('configmap/after-rotation'));
    watching.kill();
  });

  test('negative control: a product that stays with the old one is noticed', async () => {
    await using stubborn = await fleet.withMutant({
      file: 'server/src/members/registry.ts',
      from: 'if (known?.key === key) {',
      to: 'if (known) {',
    });
    expect((await ask(stubborn)).code).toBe(200);
    await rotate('rotated', 'again');
    expect((await ask(stubborn)).code).toBe(503);
    expect((await ask()).code).toBe(200);
  });

  test('SEC-4: a Secret in another namespace works where that is allowed and it is the cluster’s own', async () => {
    const { data } = await fleet.controlPlane.api.object<{ data: Record<string, string> }>(
      '/api/v1/namespaces/karmada-cluster/secrets/member1',
    );
    const refer = (namespace: string, name: string) =>
      patchCluster('member1', { spec: { secretRef: { namespace, name } } });
    const conditionWith = (text: string) =>
      until('it is reported', async () => {
        const reported = await condition('member1');
        return reported?.message.includes(text) ? { status: reported.status, reason: reported.reason } : undefined;
      });
    const refused = { status: 'False', reason: 'SecretNotAllowed' };
    await refer('kube-public', 'member1');
    expect(await conditionWith('--cluster-secret-namespaces kube-public')).toEqual(refused);
    await refer('default', 'member1');
    // The same message as for one that exists: it does not reveal which Secrets exist.
    expect(await conditionWith('Secret default/member1: it has to be annotated')).toEqual(refused);
    await refer('default', 'another');
    const metadata = { name: 'another', namespace: 'default' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data };
    await fleet.controlPlane.kubectl('create', '-f', '-', { stdin: JSON.stringify(secret) });
    expect(
      await conditionWith('Secret default/another: it has to be annotated fleet.karmada.io/cluster: member1'),
    ).toEqual(refused);
    expect((await ask()).code).toBe(503);
    await fleet.controlPlane.kubectl('annotate', 'secret', 'another', 'fleet.karmada.io/cluster=member1');
    await until('it is ready', async () => (await condition('member1'))?.status === 'True');
    expect((await ask()).code).toBe(200);
    await refer('karmada-cluster', 'member1');
  });

  test('SEC-4: a Cluster with the Secret of another is never called', async () => {
    const { spec } = await fleet.controlPlane.api.object<{ spec: object }>(
      '/apis/cluster.karmada.io/v1alpha1/clusters/member1',
    );
    const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'thief' }, spec };
    await fleet.controlPlane.kubectl('create', '-f', '-', { stdin: JSON.stringify(cluster) });
    await until('it is reported', async () => (await condition('thief'))?.reason === 'SecretNotAllowed');
    expect((await fleet.product.api.ask('/clusterspaces/thief/api')).code).toBe(503);
    await fleet.controlPlane.kubectl('delete', 'cluster', 'thief', '--timeout=20s');
    expect((await fleet.controlPlane.api.ask('/api/v1/namespaces/karmada-cluster/secrets/member1')).code).toBe(200);
  });

  test('SEC-4: a link-local endpoint is not dialled, and the condition names the flag that allows it', async () => {
    const { spec } = await fleet.controlPlane.api.object<{ spec: { apiEndpoint: string } }>(
      '/apis/cluster.karmada.io/v1alpha1/clusters/member1',
    );
    await patchCluster('member1', { spec: { apiEndpoint: 'https://169.254.169.254' } });
    const reported = await until('it is reported', async () => {
      const now = await condition('member1');
      return now?.reason === 'AddressNotAllowed' ? now : undefined;
    });
    expect(reported).toMatchObject({ status: 'False', message: expect.stringContaining('--allowed-link-local') });
    await patchCluster('member1', { spec: { apiEndpoint: spec.apiEndpoint } });
    await until('it is ready', async () => (await condition('member1'))?.status === 'True');
  });
});

describe('CLU-5: a proxy on the way', () => {
  afterAll(() => patchCluster('member1', { spec: { proxyURL: null, proxyHeader: null } }));

  test.each(['http', 'socks5'] as const)('%s: requests and exec go through it', async (kind) => {
    await using proxy = await (kind === 'http' ? startConnectProxy() : startSocksProxy());
    await patchCluster('member1', {
      spec: { proxyURL: `${kind}://${proxy.address}`, proxyHeader: { 'X-Tenant': 'fleet' } },
    });
    await until('the proxy is used', async () => {
      await ask();
      return proxy.targets.length > 0;
    });
    expect((await ask()).code).toBe(200);
    expect(new Set(proxy.targets)).toEqual(new Set([new URL(fleet.members.member1.server).host]));
    if (kind === 'http') expect(proxy.headers[0]).toMatchObject({ 'x-tenant': 'fleet' });
    const used = proxy.targets.length;
    const pods = await fleet.product.kubectl('get', 'pods', '-o', 'name', { at });
    const pod = pods.stdout.split('\n')[0]!;
    const echo = await fleet.product.kubectl('exec', pod, '--', 'echo', 'through', { at });
    expect(echo).toMatchObject({ code: 0, stdout: 'through\n' });
    // a connection of its own
    expect(proxy.targets.length).toBeGreaterThan(used);
  });

  test('CLU-3: an unreachable proxy is the reason reported; a product that bypasses it is noticed', async () => {
    await using direct = await fleet.withMutant({
      file: 'server/src/members/member.ts',
      from: '...(spec.proxyURL ? { proxy: { url: spec.proxyURL, headers: spec.proxyHeader } } : {}),',
      to: '',
    });
    await patchCluster('member1', { spec: { proxyURL: 'http://127.0.0.1:1' } });
    await until('it counts', async () => (await ask()).code === 503);
    expect((await ask(direct)).code).toBe(200);
    // it would report to the control plane that all is well
    await direct[Symbol.asyncDispose]();
    await until('it is reported', async () => (await condition('member1'))?.message.includes('proxy'), {
      timeout: 60_000,
    });
    expect((await condition('member1'))?.message).toBe('cannot be reached (its proxy is unreachable or refuses)');
    await patchCluster('member1', { spec: { proxyURL: null, proxyHeader: null } });
    await until('it is ready', async () => (await condition('member1'))?.status === 'True', { timeout: 30_000 });
  });
});
