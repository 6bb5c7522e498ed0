/** Each member's health: probed on its own every 10 s, told in the Cluster's status (CLU-3). */

import { setTimeout as delay } from 'node:timers/promises';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Logger } from 'pino';
import { type Cluster, type Condition, clustersPath } from '../members/cluster.ts';
import type { Member } from '../members/member.ts';
import type { MemberRegistry } from '../members/registry.ts';

const interval = 10_000;
const probeDeadline = 3_000;
/** One failure is an accident. */
const failuresToFlip = 3;

interface Health {
  status: Condition['status'];
  reason: string;
  message: string;
}

export function watchHealth(members: MemberRegistry, controlPlane: KubeClient, log: Logger): AsyncDisposable {
  const running = new Map<Member, AbortController>();
  const start = (member: Member) => {
    const stop = new AbortController();
    running.set(member, stop);
    probeForever(member, controlPlane, stop.signal, log).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error, cluster: member.name }, 'the health probe ended');
    });
  };
  const end = (name: string) => {
    for (const [member, stop] of running) {
      if (member.name !== name) continue;
      stop.abort();
      running.delete(member);
    }
  };
  members.events.on('joined', start);
  members.events.on('changed', (member) => {
    end(member.name);
    start(member);
  });
  members.events.on('left', ({ name }) => end(name));
  for (const member of members.all()) start(member);
  return {
    async [Symbol.asyncDispose]() {
      for (const stop of running.values()) stop.abort();
    },
  };
}

async function probeForever(member: Member, controlPlane: KubeClient, signal: AbortSignal, log: Logger): Promise<void> {
  // A member that nobody has seen well yet has no good name to lose: its first failure counts.
  let failures = wasReady(member) ? 0 : failuresToFlip - 1;
  let told = '';
  while (!signal.aborted) {
    const health = await probe(member.control, signal);
    failures = health.status === 'True' ? 0 : failures + 1;
    if (failures === 0 || failures >= failuresToFlip) {
      member.ready = failures === 0;
      member.reason = health.message;
      const version = member.ready ? await readVersion(member.control, signal) : undefined;
      const news = JSON.stringify([health.status, health.reason, version]);
      if (news !== told) {
        await tell(member, health, version, controlPlane, signal)
          .then(() => {
            told = news;
            log.info({ cluster: member.name, ready: health.status, reason: health.reason }, 'member health');
          })
          .catch((error: unknown) => {
            if (!signal.aborted) log.warn({ err: error, cluster: member.name }, 'health could not be written');
          });
      }
    }
    await delay(interval, undefined, { signal }).catch(() => {});
  }
}

const wasReady = ({ cluster }: Member): boolean =>
  cluster.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

async function read(upstream: Upstream, path: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  const reply = await upstream.call({
    method: 'GET',
    path,
    headers: { 'user-agent': 'fleet' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeDeadline)]),
  });
  return { status: reply.status, body: (await reply.body.bytes()).toString() };
}

async function probe(upstream: Upstream, signal: AbortSignal): Promise<Health> {
  try {
    let answer = await read(upstream, '/readyz', signal);
    if (answer.status === 404) answer = await read(upstream, '/healthz', signal);
    if (answer.status === 200)
      return { status: 'True', reason: 'ClusterReady', message: 'cluster is healthy and ready' };
    return {
      status: 'False',
      reason: 'ClusterNotReady',
      message: `answered ${answer.status} when asked whether it is ready`,
    };
  } catch {
    return { status: 'False', reason: 'ClusterNotReachable', message: 'cannot be reached' };
  }
}

async function readVersion(upstream: Upstream, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status, body } = await read(upstream, '/version', signal);
    return status === 200 ? (JSON.parse(body) as { gitVersion?: string }).gitVersion : undefined;
  } catch {
    // The next probe will ask again.
    return undefined;
  }
}

async function tell(
  member: Member,
  health: Health,
  version: string | undefined,
  controlPlane: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  const path = `${clustersPath}/${member.name}`;
  const cluster = await controlPlane.get<Cluster>(path, signal);
  const conditions = cluster.status?.conditions ?? [];
  const known = conditions.find(({ type }) => type === 'Ready');
  const unchanged = known?.status === health.status;
  const ready: Condition = {
    type: 'Ready',
    ...health,
    lastTransitionTime: unchanged ? known.lastTransitionTime : new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  const status = {
    ...(version ? { kubernetesVersion: version } : {}),
    conditions: [...conditions.filter(({ type }) => type !== 'Ready'), ready],
  };
  await controlPlane.patch(`${path}/status`, 'merge', { status }, signal);
}
