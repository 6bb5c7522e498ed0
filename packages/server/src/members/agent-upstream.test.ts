import { connect as connectTcp } from 'node:net';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { TunnelError } from '@fleet/tunnel/errors.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { type Listening, startListening } from '../testing/listening.ts';
import { type AgentChoice, type AgentPath, type AgentTunnel, MemberRefusedError } from './agent-tunnel.ts';
import { kindOf } from './agent-upstream.ts';
import { type Cluster, connectionTypeAnnotation, type Secret, secretsNamespace } from './cluster.ts';
import { BusyError } from './limited.ts';
import { connect, connectionOf, defaultRules } from './member.ts';

/** A member that answers with the agent path of the request. */
let member: Listening;
let uid: string | undefined;
let answers: (path: string) => void;
let isForbidden = false;

beforeEach(async () => {
  uid = 'uid-1';
  isForbidden = false;
  answers = () => {};
  member = await startListening(async ({ url }) => {
    answers(url);
    if (isForbidden) return jsonReply(403, { kind: 'Status', code: 403 });
    return jsonReply(200, url.endsWith('/kube-system') ? { metadata: { name: 'kube-system', uid } } : { url });
  });
});
afterEach(() => member[Symbol.asyncDispose]());

class FakeAgent implements AgentPath {
  readonly targets = new Set(['kubernetes'] as const);
  readonly dialled: string[] = [];
  readonly sockets: ReturnType<typeof connectTcp>[] = [];
  readonly instance: string;
  readonly kind: string;
  closed: Error | undefined;
  fails: Error | undefined;

  constructor(instance: string, kind = 'any') {
    this.instance = instance;
    this.kind = kind;
  }

  async dial(target: string): Promise<ReturnType<typeof connectTcp>> {
    this.dialled.push(target);
    if (this.fails) throw this.fails;
    const socket = connectTcp(member.listener.address.port, '127.0.0.1');
    this.sockets.push(socket);
    return socket;
  }

  close(reason: string): void {
    this.closed = new Error(reason);
    for (const socket of this.sockets) socket.destroy(this.closed);
  }
}

class FakeTunnel implements AgentTunnel {
  agents: FakeAgent[] = [];
  readonly identified: string[] = [];
  identity: (agent: AgentPath) => Promise<void> = async () => {};

  candidates({ kind, avoid }: AgentChoice): FakeAgent[] {
    const rank = (one: FakeAgent) =>
      (one.instance === avoid?.instance ? 2 : 0) + (one.kind === kind || one.kind === 'any' ? 0 : 1);
    const sorted = this.of().toSorted((a, b) => rank(a) - rank(b));
    return sorted.filter((one, index) => sorted.findIndex(({ instance }) => instance === one.instance) === index);
  }

  of(): FakeAgent[] {
    return this.agents.filter(({ closed }) => !closed);
  }

  async identify(_: string, kubeSystemUid: string, agent: AgentPath): Promise<void> {
    this.identified.push(kubeSystemUid);
    await this.identity(agent);
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Nobody listens at its endpoint: what is answered came through an agent (AGENT-11). */
const clusterOf = (spec: Partial<Cluster['spec']> = {}): Cluster => ({
  metadata: { name: 'm1', annotations: { [connectionTypeAnnotation]: 'proxy' } },
  spec: {
    syncMode: 'Push',
    apiEndpoint: 'https://localhost:1',
    proxyURL: 'http://127.0.0.1:1',
    secretRef: { namespace: secretsNamespace, name: 'm1' },
    ...spec,
  },
});

function setUp(...agents: FakeAgent[]) {
  const tunnel = new FakeTunnel();
  tunnel.agents = agents;
  const secret: Secret = { metadata: { name: 'm1' }, data: { token: base64('t'), caBundle: base64(member.ca.cert) } };
  const connection = connectionOf(clusterOf(), () => secret, { ...defaultRules, tunnel });
  if (connection.is === 'connection-error') throw new Error(connection.message);
  return { tunnel, upstream: connect(connection).control };
}

const request = (path = '/version', method = 'GET') => ({
  method,
  path,
  headers: {},
  signal: AbortSignal.timeout(10_000),
  ...(method === 'GET' ? {} : { body: Buffer.from('{}') }),
});
const bodyOf = async (answer: Promise<{ body: { bytes(): Promise<Buffer> } }>) =>
  JSON.parse(String(await (await answer).body.bytes())) as unknown;

describe('AGENT-5: a member behind agents', () => {
  it('AGENT-11: is dialled through them alone, over connections that are used again', async () => {
    const agent = new FakeAgent('a');
    const { upstream } = setUp(agent);
    await using _ = upstream;
    for (let i = 0; i < 10; i++) expect(await bodyOf(upstream.call(request()))).toEqual({ url: '/version' });
    // One for the look at its uid, which may not be free again yet.
    expect(agent.dialled.length).toBeLessThanOrEqual(2);
    expect(new Set(agent.dialled)).toEqual(new Set(['kubernetes']));
  });

  it('lists do not share a connection with gets', async () => {
    const [bulk, interactive] = [new FakeAgent('a', 'bulk'), new FakeAgent('a', 'interactive')];
    const { upstream } = setUp(bulk, interactive);
    await using _ = upstream;
    await bodyOf(upstream.call(request('/api/v1/namespaces/x/pods/y')));
    const before = bulk.sockets.map(({ bytesWritten }) => bytesWritten);
    await bodyOf(upstream.call(request('/api/v1/namespaces/x/pods/y')));
    expect(bulk.sockets.map(({ bytesWritten }) => bytesWritten)).toEqual(before);
    await bodyOf(upstream.call(request('/api/v1/pods?limit=500')));
    expect(bulk.sockets[0]!.bytesWritten).toBeGreaterThan(before[0] ?? 0);
  });

  it.each([
    ['GET', '/api/v1/pods?limit=500', 'bulk'],
    ['GET', '/apis/apps/v1/deployments?watch=1', 'bulk'],
    ['GET', '/api/v1/namespaces/x/pods/y/log?follow=true', 'bulk'],
    ['GET', '/openapi/v3/apis/apps/v1', 'bulk'],
    ['GET', '/api/v1/namespaces/x/pods/y', 'interactive'],
    ['POST', '/api/v1/namespaces/x/pods', 'interactive'],
    ['GET', '/readyz', 'interactive'],
    ['GET', '/apis', 'interactive'],
    ['GET', '/%zz', 'interactive'],
  ])('%s %s is %s', (method, path, kind) => {
    expect(kindOf({ method, path })).toBe(kind);
  });

  it('NAME-8: without an agent nothing is waited for', async () => {
    const { upstream } = setUp();
    const failed = await upstream.call(request()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(UnreachableError);
    expect(failed).toMatchObject({ sent: false, cause: { code: 'ERR_NO_AGENT' } });
  });

  it('AGENT-6: a read that is cut off before its answer, and what was never sent, go through another agent', async () => {
    const [first, second] = [new FakeAgent('a'), new FakeAgent('b')];
    const { upstream } = setUp(first, second);
    await using _ = upstream;
    await bodyOf(upstream.call(request()));
    answers = (path) => {
      if (path === '/cut' && !first.closed) first.close('killed');
    };
    expect(await bodyOf(upstream.call(request('/cut')))).toEqual({ url: '/cut' });
    const third = new FakeAgent('c');
    third.fails = new TunnelError('ERR_AGENT_DIAL', 'the agent cannot reach its target');
    const other = setUp(third, second);
    await using _other = other.upstream;
    expect(await bodyOf(other.upstream.call(request('/x', 'POST')))).toEqual({ url: '/x' });
  });

  it('AGENT-6: a write that may have been carried out is not sent again', async () => {
    const [first, second] = [new FakeAgent('a'), new FakeAgent('b')];
    const { upstream } = setUp(first, second);
    await using _ = upstream;
    await bodyOf(upstream.call(request()));
    const asked: string[] = [];
    answers = (path) => {
      asked.push(path);
      first.close('killed');
    };
    await expect(upstream.call(request('/write', 'POST'))).rejects.toMatchObject({ sent: true });
    expect(asked).toEqual(['/write']);
  });

  it('LIMIT-2, AGENT-7: more streams than a cluster may have are 429', async () => {
    const agent = new FakeAgent('a');
    const { upstream } = setUp(agent);
    await using _ = upstream;
    await bodyOf(upstream.call(request()));
    agent.fails = new TunnelError('ERR_AGENT_CHANNELS', 'too many streams of one cluster');
    const answered = Promise.withResolvers<void>();
    answers = (path) => path === '/slow' && answered.resolve();
    const both = await Promise.allSettled([upstream.call(request('/slow')), upstream.call(request('/another'))]);
    const failed = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(failed.reason).toBeInstanceOf(BusyError);
  });
});

describe('AGENT-5: TLS inside the tunnel is the member’s', () => {
  it('an agent that leads to a server of another CA gets no request, and so no credential', async () => {
    const { upstream } = setUp(new FakeAgent('thief'));
    await using _ = upstream;
    const asked: string[] = [];
    await using _thiefs = await startListening(async ({ url }) => {
      asked.push(url);
      return jsonReply(200, { metadata: { name: 'kube-system', uid: 'uid-1' } });
    });
    await using _honest = member;
    member = _thiefs;
    await expect(upstream.call(request())).rejects.toMatchObject({ sent: false, cause: expect.any(Error) });
    expect(asked).toEqual([]);
  });

  it('a Cluster cannot switch that off: it is refused, with what to do', () => {
    const tunnel = new FakeTunnel();
    const insecure = { insecureSkipTLSVerification: true };
    const secret: Secret = { metadata: { name: 'm1' }, data: { token: base64('t') } };
    for (const spec of [insecure, { ...insecure, apiEndpoint: '', secretRef: undefined }])
      expect(connectionOf(clusterOf(spec as Cluster['spec']), () => secret, { ...defaultRules, tunnel })).toEqual({
        is: 'connection-error',
        reason: 'TLSVerificationRequired',
        message: expect.stringContaining('remove it from the spec'),
      });
  });
});

describe('AGENT-9: the member behind an agent', () => {
  it('is looked at through each of them before anything else goes there', async () => {
    const asked: string[] = [];
    answers = (path) => asked.push(path);
    const [first, second] = [new FakeAgent('a'), new FakeAgent('b')];
    const { upstream, tunnel } = setUp(first, second);
    await using _ = upstream;
    await bodyOf(upstream.call(request()));
    expect(asked[0]).toBe('/api/v1/namespaces/kube-system');
    expect(tunnel.identified).toContain('uid-1');
    expect(second.dialled).toHaveLength(1);
  });

  it('NAME-8: is asked also where a better connection of the agent comes meanwhile', async () => {
    const [bulk, interactive] = [new FakeAgent('a', 'bulk'), new FakeAgent('a', 'interactive')];
    const { tunnel, upstream } = setUp(bulk);
    await using _ = upstream;
    tunnel.identity = async () => {
      tunnel.agents = [bulk, interactive];
    };
    expect(await bodyOf(upstream.call(request()))).toEqual({ url: '/version' });
  });

  it('is not asked where it is another one', async () => {
    const asked: string[] = [];
    answers = (path) => asked.push(path);
    const { upstream, tunnel } = setUp(new FakeAgent('a'));
    tunnel.identity = () => Promise.reject(new MemberRefusedError('is another member'));
    await expect(upstream.call(request('/secret'))).rejects.toMatchObject({ cause: { code: 'ERR_MEMBER_REFUSED' } });
    expect(asked).not.toContain('/secret');
  });

  it('is known of each connection by itself: an honest agent proves nothing of another', async () => {
    const asked: string[] = [];
    answers = (path) => asked.push(path);
    const [honest, other] = [new FakeAgent('a'), new FakeAgent('b')];
    const { upstream, tunnel } = setUp(honest, other);
    await using _ = upstream;
    tunnel.identity = async (agent) => {
      if (agent === other) throw new MemberRefusedError('is another member');
    };
    expect(await bodyOf(upstream.call(request()))).toEqual({ url: '/version' });
    honest.close('gone');
    await expect(upstream.call(request('/secret'))).rejects.toMatchObject({ cause: { code: 'ERR_MEMBER_REFUSED' } });
    expect(asked).not.toContain('/secret');
  });

  it('is not asked where it names no uid', async () => {
    uid = undefined;
    const { upstream, tunnel } = setUp(new FakeAgent('a'));
    await expect(upstream.call(request())).rejects.toMatchObject({ cause: { code: 'ERR_MEMBER_REFUSED' } });
    expect(tunnel.identified).toEqual([]);
  });

  it('is not asked where the credential does not let us look', async () => {
    isForbidden = true;
    const { upstream } = setUp(new FakeAgent('a'));
    await expect(upstream.call(request())).rejects.toMatchObject({
      cause: { reason: 'CredentialRefused', message: expect.stringContaining('get its namespace kube-system (403)') },
    });
  });
});
