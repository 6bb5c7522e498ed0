/** Probes each member every 10 s and writes its health and summaries into the status of its Cluster (CLU-3). */

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
import { ownTaints, type StatusUpdate, writeStatusUpdate } from './status-writer.ts';

const interval = 10_000;
/** A single failed probe does not make a member not ready. */
const failuresToFlip = 3;
/** How many probes in a row agents can cause by connecting and disconnecting. The next one waits for its regular time. */
const mostEarly = 5;
const factsInterval = 60_000;
/** Reading the summaries takes at most this share of the time, so that a slow reading does not slow down everything else. */
const factsShare = 1 / 10;
const longestRest = 5 * factsInterval;
/** In milliseconds, between attempts to write a status that no probe will write again. */
const firstPause = 1_000;
const longestPause = interval;

export interface HealthParts {
  members: MemberRegistry;
  controlPlane: KubeClient;
  apis: ReadApis;
  /** False where Karmada writes the status of members itself (CLU-2). */
  writesStatus: boolean;
  /** For clusters that are reached through agents; undefined where agents are off. */
  agents?: AgentPresence;
  log: Logger;
}

/** Reports when agents connect and disconnect, so that a probe need not wait for its regular time. */
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
  // No agent has been connected for ten seconds: that counts as three failures (AGENT-6).
  const absent = (name: string) => watched.get(name)?.probeNow(failuresToFlip);
  parts.agents?.events.on('came', came);
  parts.agents?.events.on('absent', absent);
  members.events.on('joined', start);
  members.events.on('changed', start);
  members.events.on('left', ({ name }) => end(name));
  // Whether federation can still clean up in the member (FED-9).
  members.events.on('leaving', start);
  members.events.on('gone', end);
  const writeConnectionError = (cluster: Cluster, { reason, message }: ConnectionError) => {
    if (!parts.writesStatus) return;
    const waits = cluster.spec.syncMode === 'Pull' && !cluster.spec.secretRef;
    // The status that its agent has reported stays.
    if (waits && hasReady(cluster)) return;
    const health: Health = waits ? neverAsked : { status: 'False', reason, message };
    const update = { condition: { type: 'Ready', ...health }, taints: taintsFor(health) };
    begin(cluster.metadata.name, (signal) => writeUntilDone(parts, cluster, update, signal));
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

/** For a status that no probe would write again. Retries until it is written, is outdated, or the Cluster was deleted. */
async function writeUntilDone(
  { controlPlane, log }: HealthParts,
  cluster: Cluster,
  update: StatusUpdate,
  signal: AbortSignal,
): Promise<void> {
  for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      await writeStatusUpdate(controlPlane, cluster, update, signal);
      return;
    } catch (error) {
      if (signal.aborted || isStatus(error, 404)) return;
      log.warn({ err: error, cluster: cluster.metadata.name }, 'the status of a Cluster could not be written');
    }
    await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}

/** The pause depends on how long the reading took, with a random part so that members are not all read at the same moment. */
function restAfter(took: number): number {
  const usual = factsInterval * (0.75 + 0.25 * Math.random()) - took;
  return Math.min(Math.max(usual, took / factsShare - took), longestRest);
}

/** One probed member. */
class Watched {
  private readonly member: Member;
  private readonly parts: HealthParts;
  private readonly signal: AbortSignal;
  private factsDue = 0;
  private reading = false;
  private failures: number;
  /** Probes that agents have caused, in a row. */
  private early = 0;
  /** Ends the pause before the next probe. */
  private pause = new AbortController();

  constructor(member: Member, parts: HealthParts, signal: AbortSignal) {
    this.member = member;
    this.parts = parts;
    this.signal = signal;
    // A member that has never been Ready: its first failure counts.
    this.failures = wasReady(member.cluster) ? 0 : failuresToFlip - 1;
  }

  async run(): Promise<void> {
    const { member, signal } = this;
    while (!signal.aborted) {
      // What happens during this probe causes the one after it.
      this.pause = new AbortController();
      const health = await probe(member.control, signal);
      if (signal.aborted) return;
      this.failures = health.status === 'True' ? 0 : this.failures + 1;
      if (this.failures === 0 || this.failures >= failuresToFlip || isCertain(health)) await this.settle(health);
      const ends = this.early < mostEarly ? AbortSignal.any([signal, this.pause.signal]) : signal;
      this.early = await delay(interval, 0, { signal: ends }).catch(() => this.early + 1);
    }
  }

  /** `failures`: the number of failures that count, if known without probes. */
  probeNow(failures = this.failures): void {
    this.failures = failures;
    this.pause.abort();
  }

  private async settle(health: Health): Promise<void> {
    const { member, signal } = this;
    const { ready } = member;
    // A probe that could not be sent does not change the status.
    if (health.status === 'Unknown') return this.report({ condition: { type: 'Ready', ...health } });
    member.ready = health.status === 'True';
    member.reason = health.message;
    if (ready !== member.ready) {
      const { log } = this.parts;
      if (member.ready) log.info({ cluster: member.name, ...health }, 'member is ready');
      else log.warn({ cluster: member.name, ...health }, 'member is not ready');
    }
    const version = member.ready ? await readVersion(member.control, signal) : undefined;
    await this.report({
      condition: { type: 'Ready', ...health },
      ...(version ? { facts: { kubernetesVersion: version } } : {}),
      taints: taintsFor(health),
    });
    const isGoing = member.cluster.metadata.deletionTimestamp !== undefined;
    if (member.ready && isActive(member.cluster) && !isGoing) this.lookAround();
  }

  /** Not awaited: counting pods may take longer than the interval between probes. */
  private lookAround(): void {
    if (!this.parts.writesStatus || this.reading || Date.now() < this.factsDue) return;
    const { member, signal, parts } = this;
    this.reading = true;
    const began = Date.now();
    readFacts(member, parts.apis, signal, parts.log)
      .then((update) => this.report(update))
      .catch((error: unknown) => {
        if (!signal.aborted)
          parts.log.warn({ err: error, cluster: member.name }, 'the summaries of a member could not be read');
      })
      .finally(() => {
        this.reading = false;
        this.factsDue = Date.now() + restAfter(Date.now() - began);
      });
  }

  private async report(update: StatusUpdate): Promise<void> {
    const { member, signal, parts } = this;
    if (!parts.writesStatus) return;
    try {
      await writeStatusUpdate(parts.controlPlane, member.cluster, update, signal);
    } catch (error) {
      // The next probe compares with the Cluster, and writes it.
      if (!signal.aborted)
        parts.log.warn({ err: error, cluster: member.name }, 'the status of a Cluster could not be written');
    }
  }
}

/** In Pull mode a member is reachable once its agent has connected. The reason is Karmada's. */
const neverAsked: Health = {
  status: 'Unknown',
  reason: 'ClusterStatusNeverUpdated',
  message: 'has not reported yet: it is unreachable until its agent connects',
};

const hasReady = ({ status }: Cluster): boolean => status?.conditions?.some(({ type }) => type === 'Ready') ?? false;

const wasReady = ({ status }: Cluster): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** A member that answers is not-ready; one that does not is unreachable. */
function taintsFor({ status, reason }: Health): string[] {
  const [notReady, unreachable] = ownTaints;
  if (status === 'True') return [];
  return reason === 'ClusterNotReachable' || status === 'Unknown' ? [unreachable] : [notReady];
}
