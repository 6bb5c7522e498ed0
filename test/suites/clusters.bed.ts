/** Clusters as they fare: what the product tells of them, their credentials and ways, and how they leave. */

import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { startConnectProxy, startSocksProxy } from '@fleet/client/testing/proxies.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', nodes: 0 },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const clustersPath = '/apis/cluster.karmada.io/v1alpha1/clusters';

interface Cluster {
  metadata: { resourceVersion: string; generation: number };
  spec: { taints?: { key: string; effect: string }[] };
  status: {
    kubernetesVersion?: string;
    apiEnablements?: { groupVersion: string; resources: { name: string; kind: string }[] }[];
    conditions: { type: string; status: string; reason: string; message: string }[];
    nodeSummary?: { totalNum: number; readyNum: number };
    resourceSummary?: Record<'allocatable' | 'allocating' | 'allocated', Record<string, string>>;
  };
}

const cluster = (name: string) => fleet.controlPlane.api.object<Cluster>(`${clustersPath}/${name}`);

const condition = async (name: string, type = 'Ready') =>
  (await cluster(name)).status.conditions.find((one) => one.type === type);

const taints = async (name: string) =>
  ((await cluster(name)).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

const patchCluster = async (name: string, patch: unknown) => {
  const { code, stderr } = await fleet.controlPlane.kubectl(
    'patch',
    'cluster',
    name,
    '--type=merge',
    '-p',
    JSON.stringify(patch),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
};

describe('CLU-3: what is told of a member', () => {
  test('its version, and all the APIs that it serves', async () => {
    const told = async (name: 'member1' | 'member2') =>
      until('APIs are told', async () => (await cluster(name)).status.apiEnablements);
    for (const name of ['member1', 'member2'] as const) {
      const enablements = await told(name);
      const direct = await fleet.members[name].kubectl('api-versions');
      expect(enablements.map(({ groupVersion }) => groupVersion).sort()).toEqual(
        direct.stdout.trim().split('\n').sort(),
      );
      expect(enablements.find(({ groupVersion }) => groupVersion === 'apps/v1')?.resources).toContainEqual({
        name: 'deployments',
        kind: 'Deployment',
      });
      expect(await condition(name, 'CompleteAPIEnablements')).toMatchObject({ status: 'True', reason: 'Complete' });
      expect((await cluster(name)).status.kubernetesVersion).toBe(fleet.members[name].version);
    }
  });

  test('its nodes and its room', async () => {
    const { status } = await until('nodes are told', async () => {
      const seen = await cluster('member1');
      return seen.status.nodeSummary ? seen : undefined;
    });
    const { stdout } = await fleet.members.member1.kubectl('get', 'nodes', '-o', 'json');
    const nodes = JSON.parse(stdout) as { items: { status: { allocatable: Record<string, string> } }[] };
    expect(status.nodeSummary).toEqual({ totalNum: 2, readyNum: 2 });
    const { allocatable, allocated } = status.resourceSummary!;
    expect(Object.keys(allocatable).sort()).toEqual(Object.keys(nodes.items[0]!.status.allocatable).sort());
    expect(Number(allocatable['cpu'])).toBe(2 * Number(nodes.items[0]!.status.allocatable['cpu']));
    const running = await fleet.members.member1.kubectl(
      'get',
      'pods',
      '-A',
      '-o',
      'name',
      '--field-selector=spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
    );
    expect(allocated['pods']).toBe(String(running.stdout.trim().split('\n').length));
    expect((await fleet.product.kubectl('get', 'clusters', '-o', 'wide')).stdout).toMatch(/member1 .* 2\n/);
  });

  test('nothing is written while nothing changes', async () => {
    const before = (await cluster('member2')).metadata.resourceVersion;
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect((await cluster('member2')).metadata.resourceVersion).toBe(before);
  });
});

describe('CLU-3: a member that goes away', () => {
  const theirs = { key: 'team', value: 'x', effect: 'NoExecute' };

  beforeAll(async () => {
    await patchCluster('member2', { spec: { taints: [theirs] } });
    await fleet.members.member2.faults.kill();
  });

  test('flips after three failures, with a reason and a taint, and no address in it', async () => {
    await until('member2 is not ready', async () => (await condition('member2'))?.status === 'False', {
      timeout: 60_000,
    });
    const { reason, message } = (await condition('member2'))!;
    expect({ reason, message }).toEqual({
      reason: 'ClusterNotReachable',
      message: 'cannot be reached (connection refused)',
    });
    expect(await taints('member2')).toEqual(['team:NoExecute', 'cluster.karmada.io/unreachable:NoSchedule']);
    expect(await condition('member1')).toMatchObject({ status: 'True' });
  });

  test('is back at once, without the taint; what others wrote stays', async () => {
    await fleet.members.member2.faults.start();
    await until('member2 is ready', async () => (await condition('member2'))?.status === 'True', { timeout: 12_000 });
    expect(await taints('member2')).toEqual(['team:NoExecute']);
  });
});

describe('KS-2: a cluster that is not active', () => {
  const off = 'cluster.kubesphere.io/active';
  const namespaces = '/clusterspaces/member2/api/v1/namespaces';
  const shown = async (product: Product) => (await product.kubectl('get', 'namespaces', '-o', 'name')).stdout;

  beforeAll(async () => {
    await patchCluster('member2', { metadata: { annotations: { [off]: 'false' } } });
    await until('it is off', async () => (await fleet.product.api.ask(namespaces)).code === 503);
  });
  afterAll(() => patchCluster('member2', { metadata: { annotations: { [off]: null } } }));

  test('requests to it are 503 and say why', async () => {
    const { code, body } = await fleet.product.api.ask(namespaces);
    expect({ code, message: JSON.parse(body).message }).toEqual({
      code: 503,
      message: 'cluster is not active: "member2"',
    });
  });

  test('views leave it out without a word', async () => {
    const { code, stdout, stderr } = await fleet.product.kubectl('get', 'namespaces');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('.clusterspace.member1');
    expect(stdout).not.toContain('.clusterspace.member2');
  });

  test('a product that forgets to look is noticed', async () => {
    await using forgetful = await fleet.withMutant({
      file: 'server/src/members/cluster.ts',
      from: "metadata.annotations?.[activeAnnotation] !== 'false'",
      to: "metadata.annotations?.[activeAnnotation] !== 'never'",
    });
    expect(await shown(forgetful)).toContain('.clusterspace.member2');
  });
});

describe('CLU-4: a credential that changes', () => {
  const memberSecrets = '/api/v1/namespaces/fleet-system/secrets';
  const ask = () => fleet.product.api.ask('/clusterspaces/member1/api/v1/namespaces/default');

  interface Secret {
    metadata: { uid: string };
    data?: { token?: string };
  }

  /** A new token of an account of the member, of which it says nothing but the bytes. */
  async function newToken(account: string, name: string): Promise<string> {
    const manifest = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name, namespace: 'fleet-system', annotations: { 'kubernetes.io/service-account.name': account } },
    };
    await fleet.members.member1.kubectl('create', '-f', '-', { stdin: JSON.stringify(manifest) });
    return until('the token is there', async () => {
      const { data } = await fleet.members.member1.api.object<Secret>(`${memberSecrets}/${name}`);
      return data?.token;
    });
  }

  test('is used from the next request on; the old one may go, and open streams go on', async () => {
    const watching = fleet.product.startKubectl(
      { at: '/clusterspaces/member1' },
      'get',
      'configmaps',
      '--watch',
      '-o',
      'name',
    );
    let seen = '';
    watching.stdout.on('data', (bytes) => {
      seen += String(bytes);
    });
    await until('the watch is open', async () => seen.includes('configmap/'));

    for (const [account, secret] of [
      ['fleet-control', 'member1'],
      ['fleet-impersonator', 'member1-impersonator'],
    ] as const) {
      const token = await newToken(account, `${account}-rotated`);
      // people make Secrets with editors
      const withNewline = Buffer.from(`${Buffer.from(token, 'base64')}\n`).toString('base64');
      await fleet.controlPlane.kubectl(
        'patch',
        'secret',
        secret,
        '-n',
        'karmada-cluster',
        '--type=merge',
        '-p',
        JSON.stringify({ data: { token: withNewline } }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    await fleet.members.member1.kubectl(
      'delete',
      'secret',
      '-n',
      'fleet-system',
      'fleet-control-token',
      'fleet-impersonator-token',
    );
    for (let i = 0; i < 20; i++) expect((await ask()).code).toBe(200);
    await fleet.members.member1.kubectl('create', 'configmap', 'after-rotation');
    await until('the old watch goes on', async () => seen.includes('configmap/after-rotation'));
    watching.kill();
  });

  test('a Secret in another namespace works too, and one that is missing is told', async () => {
    const { data } = await fleet.controlPlane.api.object<{ data: Record<string, string> }>(
      '/api/v1/namespaces/karmada-cluster/secrets/member1',
    );
    await patchCluster('member1', { spec: { secretRef: { namespace: 'default', name: 'elsewhere' } } });
    await until('it is told', async () => (await condition('member1'))?.reason === 'CredentialMissing');
    expect(await condition('member1')).toMatchObject({
      status: 'False',
      message: 'has no credential: there is no Secret default/elsewhere',
    });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'elsewhere', namespace: 'default' }, data };
    await fleet.controlPlane.kubectl('create', '-f', '-', { stdin: JSON.stringify(secret) });
    await until('it is ready', async () => (await condition('member1'))?.status === 'True');
    expect((await ask()).code).toBe(200);
    await patchCluster('member1', { spec: { secretRef: { namespace: 'karmada-cluster', name: 'member1' } } });
  });
});

describe('CLU-5: a proxy on the way', () => {
  const ask = () => fleet.product.api.ask('/clusterspaces/member1/api/v1/namespaces/default');
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
    const pods = await fleet.product.kubectl('get', 'pods', '-o', 'name', { at: '/clusterspaces/member1' });
    const pod = pods.stdout.split('\n')[0]!;
    const echo = await fleet.product.kubectl('exec', pod, '--', 'echo', 'through', { at: '/clusterspaces/member1' });
    expect(echo).toMatchObject({ code: 0, stdout: 'through\n' });
    // a connection of its own
    expect(proxy.targets.length).toBeGreaterThan(used);
  });

  test('CLU-3: a proxy that is away is the reason told', async () => {
    await patchCluster('member1', { spec: { proxyURL: 'http://127.0.0.1:1' } });
    await until('it is told', async () => (await condition('member1'))?.message.includes('proxy'), { timeout: 60_000 });
    expect((await condition('member1'))?.message).toBe('cannot be reached (its proxy is away or refuses)');
    await patchCluster('member1', { spec: { proxyURL: null, proxyHeader: null } });
    await until('it is ready', async () => (await condition('member1'))?.status === 'True', { timeout: 30_000 });
  });
});

describe('CLU-6: a Cluster that is deleted', () => {
  test('its streams end at once, its Secrets go', async () => {
    const at = '/clusterspaces/member1';
    const pods = await fleet.product.kubectl('get', 'pods', '-o', 'name', { at });
    const pod = pods.stdout.split('\n')[0]!;
    const watching = fleet.product.startKubectl({ at }, 'get', '--raw', '/api/v1/configmaps?watch=true');
    const running = fleet.product.startKubectl({ at }, 'exec', pod, '--', 'sh', '-c', 'echo started; sleep 300');
    const started = (stream: typeof watching) => new Promise((resolve) => stream.stdout.once('data', resolve));
    const ended = (stream: typeof watching) => new Promise((resolve) => stream.once('close', resolve));
    await Promise.all([watching, running].map(started));
    const over = Promise.all([watching, running].map(ended));
    const { code } = await fleet.controlPlane.kubectl('delete', 'cluster', 'member1', '--timeout=20s');
    expect(code).toBe(0);
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('streams go on')), 5_000));
    await Promise.race([over, late]);
    for (const name of ['member1', 'member1-impersonator']) {
      const path = `/api/v1/namespaces/karmada-cluster/secrets/${name}`;
      expect((await fleet.controlPlane.api.ask(path)).code).toBe(404);
    }
    expect((await fleet.product.api.ask('/clusterspaces/member1/api')).code).toBe(404);
    expect((await fleet.controlPlane.api.ask('/api/v1/namespaces/karmada-cluster/secrets/member2')).code).toBe(200);
  });

  test('and it can join again', async () => {
    await fleet.product.join(fleet.members.member1);
    expect((await fleet.product.api.ask('/clusterspaces/member1/api')).code).toBe(200);
  });
});

describe('negative controls', () => {
  test('CLU-3: a product that gives a member up after one failure is noticed', async () => {
    await using hasty = await fleet.withMutant({
      file: 'server/src/controllers/health.ts',
      from: 'const failuresToFlip = 3;',
      to: 'const failuresToFlip = 1;',
    });
    const path = '/clusterspaces/member2/api/v1/namespaces/default';
    await fleet.members.member2.faults.kill();
    const said = await until('the hasty one gives it up', async () => {
      const { body } = await hasty.api.ask(path);
      return body.includes('is not ready') ? body : undefined;
    });
    expect(said).toContain('ServiceUnavailable');
    expect((await fleet.product.api.ask(path)).body).not.toContain('is not ready');
    await fleet.members.member2.faults.start();
  });
});
