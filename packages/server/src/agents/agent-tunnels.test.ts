import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Informer } from '@fleet/client/informer.ts';
import { type AgentOptions, runAgent } from '@fleet/tunnel/agent.ts';
import type { AgentConnection } from '@fleet/tunnel/agent-connection.ts';
import type { Clock } from '@fleet/tunnel/clock.ts';
import { machineClock } from '@fleet/tunnel/clock.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { makeHostKey } from '@fleet/tunnel/ssh2/host-key.ts';
import { hashSecret, makeToken } from '@fleet/tunnel/token.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Agent } from '../members/agent.ts';
import { MemberRefusedError } from '../members/agent-tunnel.ts';
import { activeAnnotation, type Cluster, connectionTypeAnnotation, type Secret } from '../members/cluster.ts';
import { clusterAnnotation } from '../members/credential.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { silentLog } from '../testing/silent-log.ts';
import { AgentTunnels } from './agent-tunnels.ts';
import type { FailureSum } from './failure-sums.ts';

const hostKey = makeHostKey();
const tokens = ['gondor', 'gondor'].map((name) => makeToken(name, [hostKey.fingerprint]));
const settled = { timeout: 10_000, interval: 10 };

/** Clusters and Secrets as the registry knows them. */
class FakeMembers {
  readonly events = new EventEmitter() as MemberRegistry['events'];
  readonly clusters = new Map<string, Cluster>();
  readonly secrets = new Map<string, Secret>();
  cluster = (name: string) => this.clusters.get(name);
  allClusters = () => this.clusters.values();
  secret = ({ name }: { name: string }) => this.secrets.get(name);

  put(annotations: Record<string, string> = {}, spec: Partial<Cluster['spec']> = {}): void {
    const metadata = { name: 'gondor', annotations: { [connectionTypeAnnotation]: 'proxy', ...annotations } };
    const cluster: Cluster = { metadata, spec: { syncMode: 'Push', ...spec } };
    this.clusters.set('gondor', cluster);
    this.events.emit('seen', cluster);
  }

  allow(...indexes: number[]): void {
    const hashes = indexes.map((index) => [
      `hash-${index}`,
      Buffer.from(hashSecret(tokens[index]!.secret)).toString('base64'),
    ]);
    const metadata = { name: 'gondor-agent-token', annotations: { [clusterAnnotation]: 'gondor' } };
    this.secrets.set(metadata.name, { metadata, data: Object.fromEntries(hashes) });
    this.events.emit('secret', `karmada-cluster/${metadata.name}`);
  }
}

/** Its long timers run when a test calls them. */
class PatientClock implements Clock {
  readonly timers = new Set<{ millis: number; call: () => void }>();
  now = machineClock.now;

  timer(millis: number, call: () => void): Disposable {
    const entry = { millis, call };
    this.timers.add(entry);
    return { [Symbol.dispose]: () => void this.timers.delete(entry) };
  }

  pass(millis: number): void {
    for (const entry of this.timers) {
      if (entry.millis !== millis || !this.timers.delete(entry)) continue;
      entry.call();
    }
  }
}

let owned: AsyncDisposableStack;
let members: FakeMembers;
let tunnels: AgentTunnels;
let clock: PatientClock;
let happened: string[];
let reported: FailureSum[];
let logged: object[];
let handed: AgentCredentials[];
let identify: (cluster: string, uid: string) => Promise<void>;
let port: number;
/** Whoever follows the Agents. */
let agentChanged: (name: string) => void;
let publicKeys: string[];

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  [members, clock, happened, reported, handed, publicKeys] = [new FakeMembers(), new PatientClock(), [], [], [], []];
  identify = async () => {};
  const { log, lines } = silentLog();
  logged = lines;
  tunnels = new AgentTunnels({
    hostKey: hostKey.privateKey,
    version: '1.0.0',
    log,
    clock,
    observe: {
      failed: ({ event, cluster, what }) => void happened.push(`${event} ${cluster ?? ''} ${what}`),
      reported: (sum) => void reported.push(sum),
      loggedIn: ({ cluster }) => void happened.push(`logged in ${cluster}`),
    },
  });
  for (const event of ['came', 'absent'] as const)
    tunnels.events.on(event, (name) => void happened.push(`${event} ${name}`));
  members.put();
  members.allow(0);
  const listener = createServer((socket) => tunnels.accept(socket, '10.0.0.1')).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
  owned.defer(() => {
    tunnels[Symbol.dispose]();
    listener.close();
  });
  const agents = {
    get: () => ({ metadata: { name: 'gondor' }, spec: { publicKeys } }) as Agent,
    subscribe: (handler: (name: string) => void) => {
      agentChanged = handler;
      return { [Symbol.dispose]: () => {} };
    },
  } as unknown as Pick<Informer<Agent>, 'get' | 'subscribe'>;
  owned.use(
    tunnels.follow({
      members: members as unknown as MemberRegistry,
      agents,
      identify: (cluster, uid) => identify(cluster, uid),
      credentials: async (_, credentials) => void handed.push(credentials),
    }),
  );
});
afterEach(() => owned.disposeAsync());

function start(index = 0, options: Partial<AgentOptions> = {}): AbortController {
  const stop = new AbortController();
  const { secret, fingerprints } = tokens[index]!;
  const running = runAgent(
    {
      dial: async () => connect(port, '127.0.0.1'),
      name: 'gondor',
      secret,
      fingerprints,
      targets: { kubernetes: { host: '127.0.0.1', port: 1 } },
      version: '1.2.3',
      drainTime: 0,
      ...options,
    },
    stop.signal,
  );
  owned.defer(async () => {
    stop.abort();
    await running;
  });
  return stop;
}

const connections = (): AgentConnection[] => tunnels.of('gondor').filter(({ targets }) => targets.size > 0);
const untilThere = (count = 2) => vi.waitFor(() => expect(connections()).toHaveLength(count), settled);
const untilGone = () => vi.waitFor(() => expect(connections()).toEqual([]), settled);

describe('AGENT-6: presence', () => {
  it('an agent comes; when it is gone for ten seconds it is absent', async () => {
    const stop = start();
    await untilThere();
    expect(happened.filter((line) => line.startsWith('came'))).toEqual(['came gondor']);
    expect(tunnels.isAvailable('gondor')).toBe(true);
    clock.pass(10_000);
    stop.abort();
    await untilGone();
    expect(happened).not.toContain('absent gondor');
    clock.pass(10_000);
    expect(happened.at(-1)).toBe('absent gondor');
  });

  it('a cluster that never had one is absent ten seconds after it was seen', () => {
    clock.pass(10_000);
    expect(happened).toEqual(['absent gondor']);
  });
});

describe('AGENT-9: tunnels are closed at once', () => {
  it.each([
    ['it is switched off', () => members.put({ [activeAnnotation]: 'false' })],
    ['it is no longer reached through an agent', () => members.put({ [connectionTypeAnnotation]: 'direct' })],
    ['its token is removed', () => members.allow()],
    ['its token is replaced', () => members.allow(1)],
    [
      'it is deleted',
      () => {
        members.clusters.delete('gondor');
        members.events.emit('gone', 'gondor');
      },
    ],
  ])('when %s', async (_, change) => {
    start();
    await untilThere();
    const before = connections();
    change();
    expect(before.every(({ closed }) => closed)).toBe(true);
    expect(tunnels.of('gondor')).toEqual([]);
  });

  it('when it stands for another member; not when the first is recorded', async () => {
    start();
    await untilThere();
    const before = connections();
    members.put({}, { id: 'one' });
    expect(connections()).toEqual(before);
    members.put({}, { id: 'two' });
    expect(before.every(({ closed }) => closed)).toBe(true);
  });

  it('only what logged in with it: a second token, and other changes, end nothing', async () => {
    members.allow(0, 1);
    start(0);
    start(1);
    await untilThere(4);
    const before = connections();
    publicKeys = ['ssh-ed25519 AAAA'];
    agentChanged('gondor');
    members.put({}, { region: 'south' });
    expect(connections()).toEqual(before);
    members.allow(1);
    expect(connections()).toHaveLength(2);
  });
});

describe('AGENT-3, AGENT-10', () => {
  it('a wrong token is reported, and hands over nothing', async () => {
    start(1, { credentials: { current: () => ({}) as AgentCredentials, onChange: () => ({ [Symbol.dispose]() {} }) } });
    await vi.waitFor(() => expect(happened).toContain('AgentLoginFailed gondor password'), settled);
    expect(tunnels.of('gondor')).toEqual([]);
    expect(handed).toEqual([]);
    expect(reported[0]).toEqual({
      ...{ event: 'AgentLoginFailed', cluster: 'gondor', what: 'password' },
      ...{ address: '10.0.0.1', count: 1 },
    });
  });

  it('connections of a stranger are counted one by one, and are a line for each reason', async () => {
    const sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    for (const socket of sockets) socket.end('SSH-2.0-x\r\n');
    await vi.waitFor(
      () => expect(happened.filter((line) => line.startsWith('AgentRefused'))).toHaveLength(60),
      settled,
    );
    const reasons = ['no login', 'too many connections from one address'];
    const lines = (all: object[]) => all.filter((line) => JSON.stringify(line).includes('"address":"10.0.0.1"'));
    expect(reported.map(({ what, count }) => `${what} ${count}`).toSorted()).toEqual(
      reasons.map((what) => `${what} 1`),
    );
    expect(lines(logged)).toHaveLength(2);
    tunnels[Symbol.dispose]();
    expect(reported).toHaveLength(4);
    expect(lines(logged)).toMatchObject(reported.map(({ what, count }) => ({ what, count })));
    expect(reported.reduce((all, { count }) => all + count, 0)).toBe(60);
  });

  it('credentials are those of the cluster that logged in', async () => {
    const credentials = { caBundle: 'ca', controlToken: 'one', impersonatorToken: 'two' };
    start(0, { credentials: { current: () => credentials, onChange: () => ({ [Symbol.dispose]() {} }) } });
    await vi.waitFor(() => expect(handed).toEqual([credentials]), settled);
  });

  it('AGENT-9: credentials are refused once its token is revoked, before its connection has ended', async () => {
    const log: string[] = [];
    let changed = () => {};
    const onChange = (call: () => void) => {
      changed = call;
      return { [Symbol.dispose]() {} };
    };
    let token = 'one';
    const current = () => ({ caBundle: 'ca', controlToken: token, impersonatorToken: 'two' });
    start(0, { credentials: { current, onChange }, log: (_, text) => log.push(text) });
    await vi.waitFor(() => expect(log).toContain('credentials are stored'), settled);
    // The revocation has not reached the server yet.
    members.secrets.clear();
    token = 'of the thief';
    changed();
    await vi.waitFor(() => expect(log.join()).toMatch(/not allowed to connect/), settled);
    expect(handed.map(({ controlToken }) => controlToken)).toEqual(['one']);
  });

  it('AGENT-9: a token that is revoked while it is checked lets nobody stay', async () => {
    const known = members.secret;
    let asked = 0;
    members.secret = (ref) => (asked++ === 0 ? known(ref) : undefined);
    start(0);
    await vi.waitFor(() => expect(happened).toContain('logged in gondor'), settled);
    await vi.waitFor(() => expect(tunnels.of('gondor')).toEqual([]), settled);
  });
});

it('AGENT-9: an agent that leads to another member is cut off, and reported', async () => {
  start();
  await untilThere();
  const [agent] = connections() as [AgentConnection];
  identify = () => Promise.reject(new MemberRefusedError('is another member'));
  await expect(tunnels.identify('gondor', 'two', agent)).rejects.toThrow('is another member');
  expect(agent.closed?.message).toBe('the member is another member');
  expect(reported).toMatchObject([{ event: 'AgentRefused', what: 'member', cluster: 'gondor', count: 1 }]);
});
