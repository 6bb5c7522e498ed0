import { EventEmitter } from 'node:events';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Cluster, clustersPath } from '../members/cluster.ts';
import type { Member } from '../members/member.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { type Answer, FakeUpstream, replyOf, silence } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { watchHealth } from './health.ts';

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
  return { control, member: { name, cluster, control, impersonator: control, ready: true, reason: '' } };
}

const start = (...members: Watched[]) => {
  const registry = { events, all: () => members.map(({ member }) => member) } as unknown as MemberRegistry;
  running = watchHealth(registry, new KubeClient(controlPlane.upstream), silentLog().log);
};

const told = (name: string) =>
  controlPlane.patches
    .filter(({ path }) => path === `${clustersPath}/${name}/status`)
    .map(({ body }) => {
      const { status } = body as {
        status: { kubernetesVersion?: string; conditions: { status: string; reason: string }[] };
      };
      return [status.conditions[0]?.status, status.conditions[0]?.reason, status.kubernetesVersion];
    });

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
  it('a healthy member is told once, with its version', async () => {
    const one = watched('m1', healthy);
    start(one);
    await probes(5);
    expect(one.member.ready).toBe(true);
    expect(told('m1')).toEqual([['True', 'ClusterReady', 'v1.36.3']]);
    expect(one.control.paths.filter((path) => path === 'GET /readyz').length).toBeGreaterThanOrEqual(5);
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
    expect(one.member.reason).toBe('answered 500 when asked whether it is ready');
    one.control.answer = healthy;
    await probes(1);
    expect(one.member.ready).toBe(true);
    expect(told('m1').map(([status]) => status)).toEqual(['True', 'False', 'True']);
  });

  it('a member that cannot be reached has its own reason', async () => {
    const one = watched('m1', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')));
    start(one);
    await probes(4);
    expect(told('m1')).toEqual([['False', 'ClusterNotReachable', undefined]]);
    expect(JSON.stringify(controlPlane.patches)).not.toContain('10.0.0.1');
  });

  it('one that hangs delays nobody', async () => {
    const [hanging, other] = [watched('a', silence), watched('b', healthy)];
    start(hanging, other);
    await probes(1);
    expect(told('b')).toEqual([['True', 'ClusterReady', 'v1.36.3']]);
    expect(hanging.control.calls).toHaveLength(1);
  });

  it('/healthz is asked where /readyz is missing', async () => {
    const one = watched('m1', (call) => (call.path === '/readyz' ? replyOf(404, 'no') : healthy(call)));
    start(one);
    await probes(1);
    expect(told('m1')[0]?.[0]).toBe('True');
  });

  it('a status that could not be written is written with the next probe', async () => {
    const one = watched('m1', healthy);
    const { answer } = controlPlane.upstream;
    controlPlane.upstream.answer = () => replyOf(500, 'away');
    start(one);
    await probes(1);
    controlPlane.upstream.answer = answer;
    await probes(1);
    expect(told('m1')).toHaveLength(1);
  });

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
