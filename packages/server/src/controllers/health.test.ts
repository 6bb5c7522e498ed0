import { EventEmitter } from 'node:events';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { TunnelError } from '@fleet/tunnel/errors.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentEvents, MemberRefusedError } from '../members/agent-tunnel.ts';
import { type Cluster, type ClusterStatus, clustersPath } from '../members/cluster.ts';
import type { Member } from '../members/member.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { type Answer, FakeUpstream, replyOf, silence } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { type HealthParts, watchHealth } from './health.ts';

/** The one that vitest's clock does not reach by itself. */
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, _: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(resolve, ms);
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
}));

const healthy: Answer = ({ path }) =>
  path === '/version' ? replyOf(200, { gitVersion: 'v1.36.3' }) : replyOf(200, 'ok');
const failing: Answer = () => replyOf(500, 'etcd failed');

interface Watched {
  member: Member;
  control: FakeUpstream;
}

let controlPlane: FakeControlPlane;
let events: MemberRegistry['events'];
let running: AsyncDisposable;

function watched(name: string, answer: Answer): Watched {
  const control = new FakeUpstream(answer);
  const cluster = { metadata: { name }, spec: { syncMode: 'Push' } } as Cluster;
  controlPlane.put(clustersPath, cluster);
  const member: Member = { name, cluster, control, impersonator: control, ready: true, reason: '' };
  // As the registry's informer keeps it.
  Object.defineProperty(member, 'cluster', { get: () => controlPlane.get<Cluster>(clustersPath, name) });
  return { control, member };
}

const noApis = async () => ({ is: 'unknown' }) as const;

const start = (...members: Watched[]) => startWith({}, ...members);

const startWith = (parts: Partial<HealthParts>, ...members: Watched[]) => {
  const registry = {
    events,
    all: () => members.map(({ member }) => member),
    allLeaving: () => [],
    blocked: () => [],
  } as unknown as MemberRegistry;
  running = watchHealth({
    members: registry,
    controlPlane: new KubeClient(controlPlane.upstream),
    apis: noApis,
    writesStatus: true,
    log: silentLog().log,
    ...parts,
  });
};

/** The condition Ready in the writes, and the version if one has it. */
const reported = (name: string) =>
  controlPlane.patches
    .filter(({ path }) => path === `${clustersPath}/${name}/status`)
    .flatMap(({ body }) => {
      const { status } = body as { status: ClusterStatus };
      const ready = status.conditions?.at(-1);
      return ready?.type === 'Ready' ? [[ready.status, ready.reason, status.kubernetesVersion]] : [];
    });

const taints = (name: string) =>
  (controlPlane.get<Cluster>(clustersPath, name).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);

const message = (name: string) =>
  controlPlane.get<Cluster>(clustersPath, name).status?.conditions?.find(({ type }) => type === 'Ready')?.message;

const failure = (code: string, text = 'connect 10.0.0.1:6443') =>
  new UnreachableError(false, { cause: Object.assign(new Error(text), { code }) });

/** Lets one probe after the other run its course. */
const probes = async (count: number) => {
  for (let i = 0; i < count; i++) await vi.advanceTimersByTimeAsync(10_000);
};

beforeEach(() => {
  vi.useFakeTimers();
  controlPlane = new FakeControlPlane();
  events = new EventEmitter() as MemberRegistry['events'];
});

afterEach(async () => {
  await running[Symbol.asyncDispose]();
  vi.useRealTimers();
});

describe('CLU-3: health', () => {
  it('a healthy member is reported once, with its version', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(5);
    expect(one.member.ready).toBe(true);
    expect(reported('m1')).toEqual([['True', 'ClusterReady', 'v1.36.3']]);
    expect(one.control.paths.filter((path) => path === 'GET /readyz').length).toBeGreaterThanOrEqual(5);
  });

  it.each([5, null, 'latest', {}])('SEC-2: a version that is %j is not reported', async (gitVersion) => {
    start(watched('m1', ({ path }) => replyOf(200, path === '/version' ? { gitVersion } : 'ok')));
    await probes(1);
    expect(reported('m1')).toEqual([['True', 'ClusterReady', undefined]]);
  });

  it('SEC-4: an address that must not be dialled counts at once, and the Cluster names what allows it', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(1);
    one.control.answer = () => Promise.reject(failure('ERR_ADDRESS_REFUSED'));
    await probes(1);
    expect({ ready: one.member.ready, message: message('m1') }).toEqual({
      ready: false,
      message: expect.stringContaining('--allowed-link-local'),
    });
    expect(reported('m1').at(-1)?.slice(0, 2)).toEqual(['False', 'AddressNotAllowed']);
  });

  it.each([
    ['every minute', 0, 10, 14],
    ['less often where it takes long', 20_000, 3, 5],
  ])('what there is to know is read %s', async (_, takes, least, most) => {
    let read = 0;
    const apis = async () => {
      read += 1;
      await new Promise((resolve) => setTimeout(resolve, takes));
      return { is: 'unknown' } as const;
    };
    startWith({ apis }, watched('m1', healthy));
    // Ten minutes.
    await probes(60);
    expect(read).toBeGreaterThanOrEqual(least);
    expect(read).toBeLessThanOrEqual(most);
  });

  it('one failure, or two, do not flip it; three do; recovery counts at once', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(1);
    one.control.answer = failing;
    await probes(2);
    expect(one.member.ready).toBe(true);
    one.control.answer = healthy;
    await probes(1);
    one.control.answer = failing;
    await probes(2);
    expect(one.member.ready).toBe(true);
    await probes(1);
    expect(one.member.ready).toBe(false);
    expect(one.member.reason).toBe('answered 500 to /readyz');
    one.control.answer = healthy;
    await probes(1);
    expect(one.member.ready).toBe(true);
    expect(reported('m1').map(([status]) => status)).toEqual(['True', 'False', 'True']);
  });

  it('a member that cannot be reached has its own reason', async () => {
    const one = watched('m1', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')));
    start(one);
    await probes(4);
    expect(reported('m1')).toEqual([['False', 'ClusterNotReachable', undefined]]);
    expect(JSON.stringify(controlPlane.patches)).not.toContain('10.0.0.1');
  });

  it.each([
    [failure('ECONNREFUSED'), 'cannot be reached (connection refused)'],
    [failure('UND_ERR_CONNECT_TIMEOUT'), 'cannot be reached (timeout)'],
    [new DOMException('10.0.0.1', 'TimeoutError'), 'cannot be reached (timeout)'],
    [failure('ENOTFOUND', 'getaddrinfo secret.example'), 'cannot be reached (unknown host name)'],
    [failure('SELF_SIGNED_CERT_IN_CHAIN'), 'cannot be reached (TLS: its certificate is not trusted)'],
    [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'cannot be reached (TLS: its certificate is not trusted)'],
    [failure('CERT_HAS_EXPIRED'), 'cannot be reached (TLS: its certificate has expired)'],
    [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'cannot be reached (TLS: its certificate is for another name)'],
    [failure('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), 'cannot be reached (TLS failed)'],
    [failure('ECONNRESET'), 'cannot be reached (connection closed)'],
    [new AggregateError([failure('ECONNREFUSED')]), 'cannot be reached (connection refused)'],
    [new Error('10.0.0.1'), 'cannot be reached (connection failed)'],
  ])('ERR-2: the reason names what happened without an address (%#)', async (error, expected) => {
    start(watched('m1', () => Promise.reject(error)));
    await probes(1);
    expect(message('m1')).toBe(expected);
    expect(JSON.stringify(controlPlane.patches)).not.toMatch(/10\.0\.0\.1|example/);
  });

  it.each([401, 403])('an answer of %i is a refused credential', async (code) => {
    start(watched('m1', () => replyOf(code, 'Unauthorized')));
    await probes(1);
    expect(reported('m1')).toEqual([['False', 'CredentialRefused', undefined]]);
    expect(message('m1')).toContain(`(${code})`);
  });

  it('not ready and unreachable get their taints and lose them, others stay', async () => {
    const one = watched('m1', failing);
    const theirs = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' };
    controlPlane.put(clustersPath, {
      ...one.member.cluster,
      spec: { syncMode: 'Push', taints: [theirs, { key: 'mine', effect: 'NoSchedule' }] },
    } as Cluster);
    const others = ['cluster.karmada.io/not-ready:NoExecute', 'mine:NoSchedule'];
    start(one);
    await probes(1);
    expect(taints('m1')).toEqual([...others, 'cluster.karmada.io/not-ready:NoSchedule']);
    one.control.answer = () => Promise.reject(failure('ECONNREFUSED'));
    await probes(1);
    expect(taints('m1')).toEqual([...others, 'cluster.karmada.io/unreachable:NoSchedule']);
    one.control.answer = healthy;
    await probes(1);
    expect(taints('m1')).toEqual(others);
  });

  it('what somebody took away is written again, what they wrote stays', async () => {
    const one = watched('m1', failing);
    start(one);
    await probes(1);
    const cluster = one.member.cluster;
    const foreign = { type: 'Custom', status: 'True', reason: 'R', message: '', lastTransitionTime: 'then' } as const;
    controlPlane.put(clustersPath, {
      ...cluster,
      spec: { syncMode: 'Push' },
      status: { conditions: [foreign] },
    } as Cluster);
    await probes(1);
    expect(taints('m1')).toHaveLength(1);
    expect(one.member.cluster.status?.conditions?.map(({ type }) => type)).toEqual(['Custom', 'Ready']);
  });

  it('CLU-2: where Karmada writes the status nothing is written, but readiness is known', async () => {
    const one = watched('m1', failing);
    startWith({ writesStatus: false }, one);
    await probes(3);
    expect(one.member.ready).toBe(false);
    expect(controlPlane.patches).toEqual([]);
  });

  it('one that hangs delays nobody', async () => {
    const [hanging, other] = [watched('a', silence), watched('b', healthy)];
    start(hanging, other);
    await probes(1);
    expect(reported('b')).toEqual([['True', 'ClusterReady', 'v1.36.3']]);
    expect(hanging.control.calls).toHaveLength(1);
  });

  it('/healthz is asked where /readyz is missing', async () => {
    const one = watched('m1', (call) => (call.path === '/readyz' ? replyOf(404, 'no') : healthy(call)));
    start(one);
    await probes(1);
    expect(reported('m1')[0]?.[0]).toBe('True');
  });

  it('a status that could not be written is written with the next probe', async () => {
    const one = watched('m1', healthy);
    const { answer } = controlPlane.upstream;
    controlPlane.upstream.answer = () => replyOf(500, 'unavailable');
    start(one);
    await probes(1);
    controlPlane.upstream.answer = answer;
    await probes(1);
    expect(reported('m1')).toHaveLength(1);
  });

  it('CLU-4: a Cluster without its Secret has a reason', async () => {
    start();
    const { member } = watched('m1', healthy);
    const message = 'has no credential: there is no Secret a/b';
    events.emit('blocked', member.cluster, { is: 'connection-error', reason: 'CredentialMissing', message });
    await probes(1);
    expect(reported('m1')).toEqual([['False', 'CredentialMissing', undefined]]);
    expect(taints('m1')).toEqual(['cluster.karmada.io/not-ready:NoSchedule']);
  });

  it('CLU-3: what is in the way is written again until it could be, with longer and longer pauses', async () => {
    start();
    const { member } = watched('m1', healthy);
    const { answer } = controlPlane.upstream;
    let asked = 0;
    controlPlane.upstream.answer = () => {
      asked++;
      return replyOf(500, 'unavailable');
    };
    events.emit('blocked', member.cluster, {
      is: 'connection-error',
      reason: 'CredentialMissing',
      message: 'has none',
    });
    await probes(6);
    expect(asked).toBeGreaterThan(4);
    expect(asked).toBeLessThan(25);
    controlPlane.upstream.answer = answer;
    await probes(2);
    expect(reported('m1')).toEqual([['False', 'CredentialMissing', undefined]]);
  });

  it.each(['joined', 'gone'] as const)('what was in the way is no longer written once it has %s', async (event) => {
    start();
    const one = watched('m1', healthy);
    const { answer } = controlPlane.upstream;
    controlPlane.upstream.answer = () => replyOf(500, 'unavailable');
    events.emit('blocked', one.member.cluster, {
      is: 'connection-error',
      reason: 'CredentialMissing',
      message: 'has none',
    });
    await probes(1);
    if (event === 'joined') events.emit('joined', one.member);
    else events.emit('gone', 'm1');
    controlPlane.upstream.answer = answer;
    await probes(3);
    expect(reported('m1').map(([status]) => status)).toEqual(event === 'joined' ? ['True'] : []);
  });

  it('FED-9: one that is deleted is probed until it is gone, over the connection that is left', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(1);
    const { control, member } = watched('m1', () => Promise.reject(failure('ECONNREFUSED')));
    const going = { ...member.cluster.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    controlPlane.put(clustersPath, { ...member.cluster, metadata: going });
    events.emit('left', one.member);
    events.emit('leaving', member);
    await probes(4);
    expect(reported('m1').at(-1)).toEqual(['False', 'ClusterNotReachable', undefined]);
    events.emit('gone', 'm1');
    await probes(1);
    const { length } = control.paths;
    await probes(3);
    expect(control.paths).toHaveLength(length);
  });

  it('a member in Pull mode whose agent has not come is Unknown, until something is known of it', async () => {
    start();
    const { member } = watched('m1', healthy);
    const pulled: Cluster = { ...member.cluster, spec: { syncMode: 'Pull' } };
    const connectionError = {
      is: 'connection-error',
      reason: 'EndpointInvalid',
      message: 'has no apiEndpoint',
    } as const;
    events.emit('blocked', pulled, connectionError);
    await probes(1);
    expect(reported('m1')).toEqual([['Unknown', 'ClusterStatusNeverUpdated', undefined]]);
    expect(taints('m1')).toEqual(['cluster.karmada.io/unreachable:NoSchedule']);
    const ready = { type: 'Ready', status: 'True', reason: 'x', message: '', lastTransitionTime: '' } as const;
    events.emit('blocked', { ...pulled, status: { conditions: [ready] } }, connectionError);
    await probes(1);
    expect(reported('m1')).toHaveLength(1);
  });

  it.each(['EMFILE', 'EADDRNOTAVAIL'])(
    'one that could not be asked for %s is Unknown, and tried as before',
    async (code) => {
      const one = watched('m1', healthy);
      start(one);
      await probes(1);
      one.control.answer = () => Promise.reject(failure(code));
      await probes(3);
      expect(reported('m1').at(-1)).toEqual(['Unknown', 'ProbeNotPossible', undefined]);
      expect(one.member.ready).toBe(true);
      expect(taints('m1')).toEqual([]);
      one.control.answer = healthy;
      await probes(1);
      expect(reported('m1').at(-1)?.[0]).toBe('True');
    },
  );

  it('members that join are probed, those that leave no longer', async () => {
    start();
    const one = watched('m1', healthy);
    events.emit('joined', one.member);
    await probes(1);
    const asked = one.control.calls.length;
    expect(asked).toBeGreaterThan(0);
    events.emit('left', one.member);
    await probes(3);
    expect(one.control.calls).toHaveLength(asked);
  });
});

describe('AGENT-6: a member behind an agent', () => {
  const gone = new UnreachableError(false, { cause: new TunnelError('ERR_NO_AGENT', 'no agent') });

  it('is probed at once when its agent comes, and is not ready at once when there was none for ten seconds', async () => {
    const agents = { events: new EventEmitter<AgentEvents>() };
    const one = watched('m1', healthy);
    startWith({ agents }, one);
    await vi.advanceTimersByTimeAsync(100);
    one.control.answer = () => Promise.reject(gone);
    agents.events.emit('absent', 'm1');
    await vi.advanceTimersByTimeAsync(100);
    expect(reported('m1').at(-1)).toEqual(['False', 'AgentNotConnected', undefined]);
    expect(one.member).toMatchObject({ ready: false, reason: expect.stringContaining('no agent of it is connected') });
    one.control.answer = healthy;
    agents.events.emit('came', 'm1');
    await vi.advanceTimersByTimeAsync(100);
    expect(one.member.ready).toBe(true);
    expect(reported('m1').at(-1)?.[0]).toBe('True');
  });

  it('a moment without one changes nothing', async () => {
    const one = watched('m1', healthy);
    startWith({ agents: { events: new EventEmitter<AgentEvents>() } }, one);
    await probes(1);
    one.control.answer = () => Promise.reject(gone);
    await probes(1);
    expect(one.member.ready).toBe(true);
  });

  it('AGENT-9: another member than the registered one counts at once', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(1);
    const refused = new UnreachableError(false, { cause: new MemberRefusedError('is another member') });
    one.control.answer = () => Promise.reject(refused);
    await probes(1);
    expect(reported('m1').at(-1)).toEqual(['False', 'MemberRefused', undefined]);
    expect(message('m1')).toBe('is another member');
  });
});
