/** Writes the status of each ResourceRegistry: after a second if a reason changed, every 10 seconds if only counts did (CACHE-2). */

import type { EventEmitter } from 'node:events';
import { type Clock, machineClock, sleep } from '@fleet/client/clock.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Logger } from 'pino';
import type { FeedReport } from '../registries/feed-report.ts';
import type { ResourceRegistries } from '../registries/registries.ts';
import { comparedText, differenceOf, statusOf, syncedCondition } from '../registries/registry-status.ts';
import { type RegisteredResource, RegistryTally } from '../registries/registry-tally.ts';
import { type ResourceRegistry, registriesPath } from '../registries/resource-registry.ts';
import { disputedOfRegistry, feedsOfRegistry, type RegistryWants } from '../registries/wants.ts';
import type { ClusterName } from '../target/target.ts';

export interface RegistryStatusParts {
  registries: Pick<ResourceRegistries, 'each' | 'resourcesOf' | 'events'>;
  cache: {
    events: EventEmitter<{ state: [] }>;
    stateOf(cluster: ClusterName, resource: RegisteredResource): FeedReport | undefined;
  };
  controlPlane: KubeClient;
  log: Logger;
  clock?: Clock;
}

/** In milliseconds: how often every registry is checked, and how often changed counts are written at most. */
const interval = 10_000;
/** In milliseconds: changes within this time are written together. */
const shortest = 1_000;
const attempts = 5;
/** In milliseconds: how long a status that another replica wrote is left alone while nothing has changed in this process. */
const yieldedFor = 5 * 60_000;

/** When this process last wrote a status, and its text. */
interface Written {
  at: number;
  text: string;
}

/** The cache does not have the feed yet: the registry has just changed. */
const notCached: FeedReport = { is: 'filling', objects: 0, bytes: 0 };

export function writeRegistryStatus(parts: RegistryStatusParts): AsyncDisposable {
  const writer = new RegistryStatusWriter(parts);
  const changed = () => writer.wake();
  parts.registries.events.on('changed', changed);
  parts.registries.events.on('edited', changed);
  parts.cache.events.on('state', changed);
  return {
    async [Symbol.asyncDispose]() {
      parts.registries.events.off('changed', changed);
      parts.registries.events.off('edited', changed);
      parts.cache.events.off('state', changed);
      await writer[Symbol.asyncDispose]();
    },
  };
}

class RegistryStatusWriter implements AsyncDisposable {
  private readonly parts: RegistryStatusParts;
  private readonly clock: Clock;
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private written = new Map<string, Written>();
  private readonly running: Promise<void>;

  constructor(parts: RegistryStatusParts) {
    this.parts = parts;
    this.clock = parts.clock ?? machineClock;
    this.running = this.run();
  }

  wake(): void {
    this.waking.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort(new Error('the server ends'));
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.pause(shortest, signal);
      await this.pause(interval - shortest, AbortSignal.any([signal, this.waking.signal]));
      if (signal.aborted) return;
      this.waking = new AbortController();
      await this.checkAll();
    }
  }

  private async pause(millis: number, signal: AbortSignal): Promise<void> {
    await sleep(this.clock, millis, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  private async checkAll(): Promise<void> {
    const { registries, log } = this.parts;
    const { signal } = this.stopping;
    const pace = new Pace();
    const written = new Map<string, Written>();
    for (const { registry, wants } of registries.each()) {
      const { name } = registry.metadata;
      const before = this.written.get(name);
      if (before !== undefined) written.set(name, before);
      try {
        const tally = await this.tally(wants, pace);
        const now = await this.write(registry, tally, before);
        if (now) written.set(name, now);
      } catch (error) {
        if (signal.aborted) return;
        // Not retried here: the next check compares again, and writes it.
        log.warn({ err: error, registry: name }, 'status of a ResourceRegistry could not be written');
      }
    }
    this.written = written;
  }

  private async tally(wants: ReadonlyMap<ClusterName, RegistryWants>, pace: Pace): Promise<RegistryTally> {
    const { cache, registries } = this.parts;
    const tally = new RegistryTally();
    for (const [cluster, selected] of wants) {
      tally.clusters++;
      for (const feed of feedsOfRegistry(cluster, selected, registries.resourcesOf(cluster))) {
        tally.add(feed, cache.stateOf(cluster, feed) ?? notCached);
      }
      for (const disputed of disputedOfRegistry(cluster, selected)) tally.addDisputed(disputed);
      for (const selector of selected.notServed) tally.addUnmatched(cluster, selector, true);
      for (const selector of selected.unknown) tally.addUnmatched(cluster, selector, false);
      tally.addOmitted(cluster, selected.omitted);
      if (pace.isDue) await pace.rest();
    }
    return tally;
  }

  /** `known` may be slightly outdated. It is enough to decide whether to read the registry again and write. */
  private async write(
    known: ResourceRegistry,
    tally: RegistryTally,
    before: Written | undefined,
  ): Promise<Written | undefined> {
    const { controlPlane, registries } = this.parts;
    const { signal } = this.stopping;
    const now = this.clock.now();
    const context = { now, kindsOf: (cluster: ClusterName) => kindsOf(registries.resourcesOf(cluster)?.values()) };
    const isDue = (registry: ResourceRegistry): boolean => {
      const status = statusOf(registry, tally, context);
      if (before && isByOtherReplica(registry, before, comparedText(status), now)) return false;
      const difference = differenceOf(registry.status, status);
      return difference === 'material' || (difference === 'counts' && now - (before?.at ?? 0) >= interval);
    };
    if (!isDue(known)) return undefined;
    const path = `${registriesPath}/${known.metadata.name}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const registry = await controlPlane.get<ResourceRegistry>(path, signal);
        if (registry.metadata.uid !== known.metadata.uid || !isDue(registry)) return undefined;
        const { resourceVersion } = registry.metadata;
        const status = statusOf(registry, tally, context);
        await controlPlane.patch(`${path}/status`, 'merge', { metadata: { resourceVersion }, status }, signal);
        return { at: now, text: comparedText(status) };
      } catch (error) {
        if (isStatus(error, 404)) return undefined;
        // Another writer came in between: read again, so that its changes are not lost.
        if (!isStatus(error, 409) || attempt === attempts) throw error;
      }
    }
  }
}

/**
 * Whether the status was written by another replica, which has its own cache, and nothing has changed in this process since. Two
 * replicas that write whenever they differ would never stop (CACHE-19).
 */
function isByOtherReplica({ status }: ResourceRegistry, { at, text }: Written, now: string, time: number): boolean {
  const isThere = status?.conditions?.some(({ type }) => type === syncedCondition) ?? false;
  return isThere && text === now && time - at < yieldedFor && comparedText(status!) !== text;
}

/** In the format of `fleet join --cache-kinds`. */
function kindsOf(resources: Iterable<{ group: string; resource: string }> | undefined): string[] {
  const names = new Set<string>();
  for (const { group, resource } of resources ?? []) names.add(group === '' ? resource : `${resource}.${group}`);
  return [...names].sort();
}
