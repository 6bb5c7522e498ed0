/** KubeSphere's document on simulated members: Agents, clusters that are switched off, its URLs, its own API. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { agents, face, facing, karmada, named, secrets, settled } from './src/kubesphere.ts';
import { requestAs } from './src/request.ts';
import { send } from './src/send.ts';

const seen: { url: string; headers: IncomingMessage['headers'] }[] = [];

async function startKubeSphere(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ url, headers });
    response.writeHead(url.includes('denied') ? 401 : 200, { 'content-type': 'application/json' }).end('{"from":"ks"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

let kubesphere: Awaited<ReturnType<typeof startKubeSphere>>;
let fleet: SimulatedFleet;
let admin: KubeConfig;
let on: ReturnType<typeof facing>;

beforeAll(async () => {
  kubesphere = await startKubeSphere();
  const flags = ['--kubesphere-endpoint', kubesphere.url];
  fleet = await startFleet({ members: ['gondor', 'rohan'], flags });
  admin = await fleet.config();
  on = facing(admin);
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await kubesphere?.[Symbol.asyncDispose]();
});

describe('KS-5: Agents', () => {
  it('there is one for each cluster, with references alone, and it goes with its cluster', async () => {
    await vi.waitFor(async () => {
      const { items } = await on.json(agents);
      expect(items.map(({ metadata }) => metadata['name'])).toEqual(['gondor', 'rohan']);
    }, settled);
    const secretRef = { namespace: 'karmada-cluster', name: 'rohan' };
    expect((await on.json('/apis/cluster.kubesphere.io/agents/rohan')).spec).toEqual({ secretRef });
    await on.create(named('erebor', { connection: { type: 'proxy', token: 'x'.repeat(32) } }));
    const tokenRef = { namespace: 'karmada-cluster', name: 'erebor-agent-token' };
    await vi.waitFor(async () => expect((await on.json(`${agents}/erebor`)).spec).toEqual({ tokenRef }), settled);
    const publicKeys = ['ssh-ed25519 AAAA'];
    await on.patch(`${agents}/erebor`, { spec: { publicKeys, tokenRef: null } });
    await vi.waitFor(async () => {
      expect((await on.json(`${agents}/erebor`)).spec).toEqual({ tokenRef, publicKeys });
    }, settled);
    await on.remove(`${face}/erebor`);
    await vi.waitFor(async () => expect((await on.get(`${agents}/erebor`)).status).toBe(404), settled);
    expect((await on.get(`${secrets}/erebor-agent-token`)).status).toBe(404);
  });

  it('AGENT-11: a cluster of connection type proxy is never dialled, whatever its endpoint is', async () => {
    const endpoint = (await on.json(`${face}/rohan`)).spec.connection['kubernetesAPIEndpoint'];
    const kubeconfig = Buffer.from(fleet.members.get('rohan')!.kubeconfig).toString('base64');
    await on.create(named('edoras', { connection: { type: 'proxy', kubernetesAPIEndpoint: endpoint, kubeconfig } }));
    await vi.waitFor(async () => {
      expect(await on.conditions('edoras')).toEqual([
        ['Initialized', 'False', 'AgentNotConnected'],
        ['AgentAvailable', 'False', 'AgentNotConnected'],
        ['Ready', 'False', 'AgentNotConnected'],
      ]);
    }, settled);
    expect(await on.get('/clusters/edoras/version')).toMatchObject({ status: 503 });
    await on.patch(`${face}/edoras`, { spec: { connection: { type: 'direct' } } });
    await vi.waitFor(async () => expect((await on.get('/clusters/edoras/version')).status).toBe(200), settled);
    await on.remove(`${face}/edoras`);
    await vi.waitFor(async () => expect((await on.get(`${face}/edoras`)).status).toBe(404), settled);
  });
});

describe('KS-2: active', () => {
  it('false: 503, out of all views, and streams to it end; true again: all is back', async () => {
    const events: string[] = [];
    const streaming = send(admin, { path: '/clusters/rohan/api/v1/namespaces?watch=true' }).then(
      () => events.push('ended'),
      () => events.push('cut off'),
    );
    await vi.waitFor(
      async () => expect((await on.json('/api/v1/namespaces')).items.length).toBeGreaterThan(8),
      settled,
    );
    await on.patch(`${face}/rohan`, { spec: { enable: false } });
    await streaming;
    expect(events).toHaveLength(1);
    await vi.waitFor(async () => {
      expect(await on.get('/clusters/rohan/version')).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('cluster is not active') },
      });
    }, settled);
    const names = async () =>
      (await on.json('/api/v1/namespaces')).items.map(({ metadata }) => metadata['name']).join();
    expect(await names()).not.toContain('rohan');
    await on.patch(`${karmada}/rohan`, { metadata: { annotations: { 'cluster.kubesphere.io/active': null } } });
    await vi.waitFor(async () => expect(await names()).toContain('rohan'), settled);
    expect((await on.json(`${face}/rohan`)).spec).toMatchObject({ active: true, enable: true });
  });
});

describe('KS-4: dispatch, as the document has it', () => {
  it.each([
    ['/api/clusters/gondor/v1/namespaces/default', { kind: 'Namespace', metadata: { name: 'default' } }],
    ['/apis/clusters/gondor/apps/v1/namespaces/default/deployments', { kind: 'DeploymentList' }],
    ['/clusters/gondor/api/v1/namespaces/default', { kind: 'Namespace' }],
    ['/clusters/gondor/version', { major: '1' }],
    ['/clusters/gondor/api', { kind: 'APIVersions' }],
    ['/api/clusters/host/v1/namespaces/karmada-cluster', { metadata: { name: 'karmada-cluster' } }],
  ])('%s', async (path, answer) => {
    expect(await on.get(path)).toMatchObject({ status: 200, body: answer });
  });
});

describe('KS-3: /kapis', () => {
  const canary = '/kapis/clusters/gondor/servicemesh.kubesphere.io/v1alpha1/namespaces/default/strategies/canary';

  it('goes to the endpoint that the Cluster names, byte for byte; the token only where it is allowed', async () => {
    const kubesphereAPIEndpoint = kubesphere.url;
    await on.patch(`${face}/gondor`, { spec: { connection: { kubesphereAPIEndpoint } } });
    const tail = '?b=2&a=%7e1&b=1&b';
    await vi.waitFor(async () => {
      expect(await on.get(`${canary}${tail}`)).toMatchObject({ status: 200, body: { from: 'ks' } });
    }, settled);
    const { url, headers } = seen.at(-1)!;
    expect(url).toBe(`/kapis/servicemesh.kubesphere.io/v1alpha1/namespaces/default/strategies/canary${tail}`);
    expect(Object.keys(headers).join()).not.toMatch(/authorization|impersonate/);
    expect((await on.get('/clusters/gondor/kapis/x/clusters/rohan/y')).status).toBe(200);
    expect(seen.at(-1)!.url).toBe('/kapis/x/clusters/rohan/y');
    // Its own 401 is about its own tokens.
    expect((await on.get('/kapis/clusters/gondor/denied')).status).toBe(401);
    const authorization = 'Bearer of-kubesphere';
    const annotations = { 'fleet.karmada.io/kubesphere-token': 'true' };
    await on.patch(`${karmada}/gondor`, { metadata: { annotations } });
    await vi.waitFor(async () => {
      await on.get(canary, { authorization });
      expect(seen.at(-1)!.headers).toMatchObject({ authorization });
    }, settled);
  });

  it('without one goes through the service proxy of the API server, as the user', async () => {
    await on.patch(`${face}/gondor`, { spec: { connection: { kubesphereAPIEndpoint: null } } });
    await vi.waitFor(async () => {
      const { status, body } = await on.get(canary);
      expect([status, JSON.stringify(body)]).toEqual([expect.any(Number), expect.stringMatching(/ks-apiserver/)]);
    }, settled);
  });

  it('of no cluster goes to the host that is configured, for those who may', async () => {
    expect(await on.get('/kapis/tenant.kubesphere.io/v1alpha2/x?a')).toMatchObject({ status: 200 });
    expect(seen.at(-1)).toMatchObject({ url: '/kapis/tenant.kubesphere.io/v1alpha2/x?a' });
    expect(seen.at(-1)!.headers).not.toHaveProperty('impersonate-user');
    expect(await requestAs(await fleet.config({ name: 'frodo' }), '/kapis/x')).toMatchObject({ status: 403 });
  });
});
