/** Each member's health: probed on its own every 10 s, told in the Cluster with what else there is to know (CLU-3). */

import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';
import type { AgentEvents } from '../members/agent-tunnel.ts';
import { type Cluster, isActive } from '../members/cluster.ts';
import type { ConnectionError } from '../members/connection-error.ts';
import type { Member } from '../members/member.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { type ReadApis, readFacts } from './facts.ts';
import { type Health, isCertain, probe, readVersion } from './probe.ts';
import { type News, ownTaints, writeNews } from './status-writer.ts';

const interval = 10_000;
/** One failure is an accident. */
const failuresToFlip = 3;
/** Probes in a row that agents may cause by coming and going: the next one is in its time. */
const mostEarly = 5;
const factsInterval = 60_000;
/** Reading them takes at most this share of the time: where it is slow, it is not what makes everything slow. */
const factsShare = 1 / 10;
const longestRest = 5 * factsInterval;
/** Between attempts to write what no probe will write again. */
const firstPause = 1_000;
const longestPause = interval;

export interface HealthParts {
  members: MemberRegistry;
  controlPlane: KubeClient;
  apis: ReadApis;
  /** False where Karmada tells the members' status itself (CLU-2). */
  writesStatus: boolean;
  /** Of clusters that are reached through them; none where there are no agents. */
  agents?: AgentPresence;
  log: Logger;
}

/** When agents come and go: a probe need not wait for its time. */
export interface AgentPresence {
  readonly events: EventEmitter<AgentEvents>;
}

export function watchHealth(parts: HealthParts): AsyncDisposable {
  const { members, log } = parts;
  const running = new Map<string, AbortController>();
  const begin = (name: string, work: (signal: AbortSignal) => Promise<void>) => {
    end(name);
    const stop = new AbortController();
    running.set(name, stop);
    work(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error, cluster: name }, 'the health probe ended');
    });
  };
  const end = (name: string) => {
    running.get(name)?.abort();
    running.delete(name);
  };
  const watched = new Map<string, Watched>();
  const start = (member: Member) =>
    begin(member.name, (signal) => {
      const one = new Watched(member, parts, signal);
      watched.set(member.name, one);
      signal.addEventListener('abort', () => {
        if (watched.get(member.name) === one) watched.delete(member.name);
      });
      return one.run();
    });
  const came = (name: string) => watched.get(name)?.probeNow();
  // Nobody has reached it for ten seconds: that counts as three failures (AGENT-6).
  const absent = (name: string) => watched.get(name)?.probeNow(failuresToFlip);
  parts.agents?.events.on('came', came);
  parts.agents?.events.on('absent', absent);
  members.events.on('joined', start);
  members.events.on('changed', start);
  members.events.on('left', ({ name }) => end(name));
  // Whether it can still be cleaned up in (FED-9).
  members.events.on('leaving', start);
  members.events.on('gone', end);
  const writeConnectionError = (cluster: Cluster, { reason, message }: ConnectionError) => {
    if (!parts.writesStatus) return;
    const waits = cluster.spec.syncMode === 'Pull' && !cluster.spec.secretRef;
    // What its agent has said of itself stands.
    if (waits && hasReady(cluster)) return;
    const health: Health = waits ? neverAsked : { status: 'False', reason, message };
    const news = { condition: { type: 'Ready', ...health }, taints: taintsFor(health) };
    begin(cluster.metadata.name, (signal) => writeUntilDone(parts, cluster, news, signal));
  };
  members.events.on('blocked', writeConnectionError);
  for (const member of [...members.all(), ...members.allLeaving()]) start(member);
  for (const [cluster, connectionError] of members.blocked()) writeConnectionError(cluster, connectionError);
  return {
    async [Symbol.asyncDispose]() {
      parts.agents?.events.off('came', came);
      parts.agents?.events.off('absent', absent);
      for (const stop of running.values()) stop.abort();
    },
  };
}

/** There are no probes that would write it again. Until it was written, something else is true, or the Cluster is gone. */
async function writeUntilDone(
  { controlPlane, log }: HealthParts,
  cluster: Cluster,
  news: News,
  signal: AbortSignal,
): Promise<void> {
  for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      await writeNews(controlPlane, cluster, news, signal);
      return;
    } catch (error) {
      if (signal.aborted || isStatus(error, 404)) return;
      log.warn({ err: error, cluster: cluster.metadata.name }, 'status could not be written');
    }
    await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}

/** What was spent on reading facts counts; not all members are read in the same moment. */
function restAfter(took: number): number {
  const usual = factsInterval * (0.75 + 0.25 * Math.random()) - took;
  return Math.min(Math.max(usual, took / factsShare - took), longestRest);
}

/** One member under watch. */
class Watched {
  private readonly member: Member;
  private readonly parts: HealthParts;
  private readonly signal: AbortSignal;
  private factsDue = 0;
  private reading = false;
  private failures: number;
  /** Probes before their time, one after the other. */
  private early = 0;
  /** Ends the pause before the next probe. */
  private pause = new AbortController();

  constructor(member: Member, parts: HealthParts, signal: AbortSignal) {
    this.member = member;
    this.parts = parts;
    this.signal = signal;
    // A member that nobody has seen well yet has no good name to lose: its first failure counts.
    this.failures = wasReady(member.cluster) ? 0 : failuresToFlip - 1;
  }

  async run(): Promise<void> {
    const { member, signal } = this;
    while (!signal.aborted) {
      // What happens from here on is for the probe after this one.
      this.pause = new AbortController();
      const health = await probe(member.control, signal);
      if (signal.aborted) return;
      this.failures = health.status === 'True' ? 0 : this.failures + 1;
      if (this.failures === 0 || this.failures >= failuresToFlip || isCertain(health)) await this.settle(health);
      const ends = this.early < mostEarly ? AbortSignal.any([signal, this.pause.signal]) : signal;
      this.early = await delay(interval, 0, { signal: ends }).catch(() => this.early + 1);
    }
  }

  /** `failures`: what is known of it beside the probes. */
  probeNow(failures = this.failures): void {
    this.failures = failures;
    this.pause.abort();
  }

  private async settle(health: Health): Promise<void> {
    const { member, signal } = this;
    const { ready } = member;
    // Whoever could not ask knows no better than before.
    if (health.status === 'Unknown') return this.tell({ condition: { type: 'Ready', ...health } });
    member.ready = health.status === 'True';
    member.reason = health.message;
    if (ready !== member.ready) {
      const { log } = this.parts;
      if (member.ready) log.info({ cluster: member.name, ...health }, 'member is ready');
      else log.warn({ cluster: member.name, ...health }, 'member is not ready');
    }
    const version = member.ready ? await readVersion(member.control, signal) : undefined;
    await this.tell({
      condition: { type: 'Ready', ...health },
      ...(version ? { facts: { kubernetesVersion: version } } : {}),
      taints: taintsFor(health),
    });
    const isGoing = member.cluster.metadata.deletionTimestamp !== undefined;
    if (member.ready && isActive(member.cluster) && !isGoing) this.lookAround();
  }

  /** Not awaited: counting pods may take longer than the next probe can wait. */
  private lookAround(): void {
    if (!this.parts.writesStatus || this.reading || Date.now() < this.factsDue) return;
    const { member, signal, parts } = this;
    this.reading = true;
    const began = Date.now();
    readFacts(member, parts.apis, signal, parts.log)
      .then((news) => this.tell(news))
      .catch((error: unknown) => {
        if (!signal.aborted) parts.log.warn({ err: error, cluster: member.name }, 'facts could not be read');
      })
      .finally(() => {
        this.reading = false;
        this.factsDue = Date.now() + restAfter(Date.now() - began);
      });
  }

  private async tell(news: News): Promise<void> {
    const { member, signal, parts } = this;
    if (!parts.writesStatus) return;
    try {
      await writeNews(parts.controlPlane, member.cluster, news, signal);
    } catch (error) {
      // Compared with the Cluster at every probe, so the next one writes it.
      if (!signal.aborted) parts.log.warn({ err: error, cluster: member.name }, 'status could not be written');
    }
  }
}

/** In Pull mode there is a way when the agent has come. In Karmada's words. */
const neverAsked: Health = {
  status: 'Unknown',
  reason: 'ClusterStatusNeverUpdated',
  message: 'has not been heard of yet: there is no way to it before its agent comes',
};

const hasReady = ({ status }: Cluster): boolean => status?.conditions?.some(({ type }) => type === 'Ready') ?? false;

const wasReady = ({ status }: Cluster): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** One that answers is not ready; one that does not cannot be reached. */
function taintsFor({ status, reason }: Health): string[] {
  const [notReady, unreachable] = ownTaints;
  if (status === 'True') return [];
  return reason === 'ClusterNotReachable' || status === 'Unknown' ? [unreachable] : [notReady];
}
