/** Members that are reached through their agents alone: the whole product, with agents in this process over real sockets. */

import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import { Exec, type KubeConfig, Log, PortForward, type V1Status, Watch } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  clustersPath,
  credentialsOf,
  giveToken,
  handing,
  type RunningAgent,
  registerProxy,
  secretsPath,
  startAgent,
} from './src/agent-member.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { readCa } from './src/product.ts';
import { requestAs } from './src/request.ts';
import { dialWebSocket } from './src/web-socket-dial.ts';

interface Conditions {
  spec: { id?: string; apiEndpoint?: string };
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
}

const owned = new AsyncDisposableStack();
const settled = { timeout: 20_000, interval: 50 };
const maps = '/api/v1/namespaces/default/configmaps';
let fleet: SimulatedFleet;
let admin: KubeConfig;
let gondor: SimulatedCluster;
let token: AgentToken;
let agent: RunningAgent;
let agentPort: number;

const cluster = (name: string) => fleet.controlPlane.get<Conditions>(`${clustersPath}/${name}`);
const condition = async (name: string, type: string) =>
  (await cluster(name)).status?.conditions?.find((one) => one.type === type);
const ask = (name: string, path = '/version') => requestAs(admin, `/clusters/${name}${path}`);
const reached = (name: string) => vi.waitFor(async () => expect((await ask(name)).status).toBe(200), settled);
const unreached = (name: string) =>
  vi.waitFor(
    async () =>
      expect(await ask(name)).toMatchObject({
        status: 503,
        body: { message: expect.stringMatching(/no agent of it is connected/) },
      }),
    settled,
  );
const audited = async () => readFile(join(fleet.folder, 'audit.log'), 'utf8');
const annotate = (name: string, annotations: Record<string, string>) =>
  fleet.controlPlane.patch(`${clustersPath}/${name}`, 'merge', { metadata: { annotations } });

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
};

beforeAll(async () => {
  agentPort = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-agents-'));
  owned.defer(() => rm(folder, { recursive: true }));
  const flags = ['--audit-log', join(folder, 'audit.log'), '--agent-listen', `127.0.0.1:${agentPort}`];
  const [started, member] = await Promise.all([
    startFleet({ members: [], flags }),
    startCluster({ name: 'gondor', factor: 100, onError: (error) => console.error(error) }),
  ]);
  fleet = { ...owned.use(started), folder };
  gondor = owned.use(member);
  admin = await fleet.config();
  await registerProxy(fleet, 'gondor');
  token = await giveToken(fleet, 'gondor');
  agent = startAgent(fleet.product, token, gondor, { credentials: handing(await credentialsOf(gondor)) });
  owned.defer(() => agent[Symbol.asyncDispose]());
  await reached('gondor');
});
afterAll(() => owned.disposeAsync());

describe('a member behind its agent', () => {
  it('AGENT-9, AGENT-10: its Cluster is completed by what the agent hands over, and the uid that was read', async () => {
    const { metadata } = await gondor.client.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
    expect((await cluster('gondor')).spec).toMatchObject({
      id: metadata.uid,
      apiEndpoint: 'https://kubernetes.default.svc:443',
      secretRef: { name: 'gondor' },
      impersonatorSecretRef: { name: 'gondor-impersonator' },
    });
    expect(agent.log).toContain('credentials are stored');
  });

  it('AGENT-6, KS-5: its conditions and its Agent show that it is connected', async () => {
    await vi.waitFor(async () => {
      expect(await condition('gondor', 'AgentAvailable')).toMatchObject({ status: 'True', reason: 'AgentConnected' });
      expect(await condition('gondor', 'Ready')).toMatchObject({ status: 'True' });
      const path = '/apis/cluster.kubesphere.io/v1alpha1/agents/gondor';
      expect(await fleet.controlPlane.get(path)).toMatchObject({
        spec: { tokenRef: { name: 'gondor-agent-token' } },
        status: {
          conditions: [{ type: 'Connected', status: 'True' }],
          replicas: [{ state: 'Connected', address: '127.0.0.1', version: '1.2.3', streams: expect.any(Number) }],
        },
      });
    }, settled);
  });

  it('AGENT-5: lists, gets, writes and watches go through it', async () => {
    const created = await requestAs(admin, `/clusters/gondor${maps}`, {}, false, { metadata: { name: 'one' } });
    expect(created.status).toBe(201);
    expect(await gondor.client.get(`${maps}/one`)).toMatchObject({ metadata: { name: 'one' } });
    expect(await ask('gondor', `${maps}/one`)).toMatchObject({ status: 200, body: { metadata: { name: 'one' } } });
    const listed = await requestAs(admin, maps);
    expect(JSON.stringify(listed.body)).toContain('one.clusterspace.gondor');
    const seen: string[] = [];
    const config = await fleet.config(undefined, '/clusters/gondor');
    const watching = await new Watch(config).watch(
      maps,
      {},
      (type, object: { metadata: { name: string } }) => void seen.push(`${type} ${object.metadata.name}`),
      () => {},
    );
    await vi.waitUntil(() => seen.includes('ADDED one'), settled);
    await gondor.client.create(maps, { metadata: { name: 'two' } });
    await vi.waitUntil(() => seen.includes('ADDED two'), settled);
    watching.abort();
  });

  it('AGENT-5: logs, exec and port-forward', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const containers = [{ name: 'main', image: 'nginx' }];
    await gondor.client.create(pods, { metadata: { name: 'web' }, spec: { containers } });
    await vi.waitFor(async () => {
      const { status } = await gondor.client.get<{ status?: { phase?: string } }>(`${pods}/web`);
      expect(status?.phase).toBe('Running');
    }, settled);
    const config = await fleet.config(undefined, '/clusters/gondor');
    const out = new PassThrough();
    await new Log(config).log('default', 'web', 'main', out, { tailLines: 2 });
    expect((await text(out)).trim().split('\n')).toHaveLength(2);
    const written: Buffer[] = [];
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        written.push(chunk);
        done();
      },
    });
    const { promise: status, resolve } = Promise.withResolvers<V1Status>();
    await new Exec(config).exec('default', 'web', 'main', ['hostname'], stdout, null, null, false, resolve);
    expect(await status).toMatchObject({ status: 'Success' });
    expect(Buffer.concat(written).toString()).toBe('web\n');
    const [input, output] = [new PassThrough(), new PassThrough()];
    const forwarded = await new PortForward(config).portForward('default', 'web', [80], output, null, input);
    input.write('GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n');
    const answer = await new Promise<string>((resolve) => output.once('data', (piece) => resolve(String(piece))));
    expect(answer).toMatch(/^HTTP\/1.1 \d+/);
    // The types know no WebSocket of a browser here.
    (forwarded as unknown as { close(): void }).close();
  });

  it('AGENT-6: a connection that breaks comes back; until then the answer is 503 at once', async () => {
    agent.cut();
    await reached('gondor');
    await vi.waitFor(async () => expect(await condition('gondor', 'Ready')).toMatchObject({ status: 'True' }), settled);
  });

  it('AGENT-6: of two agents one is killed, and reads go on through the other', async () => {
    const second = startAgent(fleet.product, token, gondor);
    await using _second = second;
    await vi.waitUntil(() => second.log.filter((line) => line.endsWith('is established')).length === 2, settled);
    let isOver = false;
    const failures: number[] = [];
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const { status } = await ask('gondor', `${maps}/one`);
          if (status !== 200) failures.push(status);
        }
      }),
    );
    for (let round = 0; round < 2; round++) {
      second.cut();
      await vi.waitUntil(
        () => second.log.filter((line) => line.endsWith('is established')).length >= 4 + 2 * round,
        settled,
      );
    }
    isOver = true;
    await asking;
    expect(failures).toEqual([]);
  });
});

describe('who may be an agent', () => {
  it('AGENT-3: a wrong token is refused, counted and audited, without a secret', async () => {
    const wrong = { ...token, secret: 'x'.repeat(43) };
    await using hostile = startAgent(fleet.product, wrong, gondor);
    await vi.waitFor(async () => expect(await audited()).toMatch(/"AgentLoginFailed".*"cluster":"gondor"/), settled);
    expect(hostile.log.join()).not.toContain('is established');
    expect(await audited()).not.toMatch(new RegExp(`${wrong.secret}|${token.secret}`));
    const { body } = await requestAs(admin, '/metrics', {}, true);
    expect(body).toMatch(/fleet_agent_login_failures_total [1-9]/);
  });

  it('AGENT-9: a member that another Cluster has is refused, and so is one with another uid', async () => {
    await registerProxy(fleet, 'mordor');
    const mordors = await giveToken(fleet, 'mordor');
    await using hostile = startAgent(fleet.product, mordors, gondor, {
      credentials: handing(await credentialsOf(gondor)),
    });
    await vi.waitFor(async () => {
      const ready = await condition('mordor', 'Ready');
      expect(ready).toMatchObject({ status: 'False', reason: 'MemberRefused' });
      expect(ready?.message).toContain('already registered as cluster "gondor"');
    }, settled);
    expect(hostile.log).toContain('credentials are stored');
    expect((await ask('mordor')).status).toBe(503);
    expect((await cluster('mordor')).spec.id).toBeUndefined();
    await fleet.controlPlane.patch(`${clustersPath}/mordor`, 'merge', { spec: { id: 'another' } });
    await vi.waitFor(
      async () => expect((await condition('mordor', 'Ready'))?.message).toContain('is another member'),
      settled,
    );
    expect((await ask('mordor')).status).toBe(503);
    expect(await audited()).toMatch(/"AgentRefused".*"cluster":"mordor","what":"member"/);
    await fleet.controlPlane.delete(`${clustersPath}/mordor`);
  });

  it('AGENT-9: a token that is removed ends what logged in with it, and nothing else', async () => {
    const more = await giveToken(fleet, 'gondor', 'hash-2');
    await using second = startAgent(fleet.product, more, gondor);
    await vi.waitUntil(() => second.log.filter((line) => line.endsWith('is established')).length === 2, settled);
    const before = agent.log.length;
    await fleet.controlPlane.patch(`${secretsPath}/gondor-agent-token`, 'merge', { data: { 'hash-2': null } });
    await vi.waitUntil(() => second.log.length > 2, settled);
    expect((await ask('gondor')).status).toBe(200);
    expect(agent.log).toHaveLength(before);
  });

  it('AGENT-9, KS-2: a cluster that is switched off loses its tunnels at once, and has them back when it is switched on', async () => {
    const before = agent.log.length;
    await annotate('gondor', { 'cluster.kubesphere.io/active': 'false' });
    await vi.waitUntil(() => agent.log.length > before, settled);
    expect(await ask('gondor')).toMatchObject({ status: 503, body: { message: /not active/ } });
    await vi.waitFor(
      async () => expect(await condition('gondor', 'AgentAvailable')).toMatchObject({ status: 'False' }),
      settled,
    );
    await annotate('gondor', { 'cluster.kubesphere.io/active': 'true' });
    await reached('gondor');
  });
});

describe('AGENT-2: other transports to the server', () => {
  it('without an agent a request is 503 at once; one inside a WebSocket is an agent, too', async () => {
    await agent[Symbol.asyncDispose]();
    await unreached('gondor');
    await vi.waitFor(
      async () => expect(await condition('gondor', 'AgentAvailable')).toMatchObject({ status: 'False' }),
      settled,
    );
    const { cert } = await readCa(fleet.product);
    const dial = () => dialWebSocket(fleet.product.url, cert);
    await using _inside = startAgent(fleet.product, token, gondor, { dial });
    await reached('gondor');
    // Lists leave it out until the next probe has seen it.
    await vi.waitFor(
      async () => expect(JSON.stringify((await requestAs(admin, maps)).body)).toContain('one.clusterspace.gondor'),
      settled,
    );
  });

  it('a port of its own takes nothing but SSH', async () => {
    await unreached('gondor');
    const dial = async () => connect(agentPort, '127.0.0.1');
    await using _there = startAgent(fleet.product, token, gondor, { dial });
    await reached('gondor');
  });
});
