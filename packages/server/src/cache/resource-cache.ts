/** The cache of this process: reflectors fill it with what ResourceRegistries select, and requests look up their feed in it. */

import { EventEmitter } from 'node:events';
import type { FeedWriter } from '@fleet/cache/feed-writer.ts';
import type { FeedId, FeedSpec, FeedState, Health, ShardStat, Want } from '@fleet/cache/messages.ts';
import { ListGate } from '@fleet/cache/reflector/list-gate.ts';
import { Reflector } from '@fleet/cache/reflector/reflector.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { machineClock } from '@fleet/client/clock.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Logger } from 'pino';
import type { FeedReport } from '../registries/feed-report.ts';
import type { ClusterName } from '../target/target.ts';
import type { CachedFeed } from './cached-feed.ts';
import { CachedResource, type RegisteredFeed } from './cached-resource.ts';
import { type AskedCollection, collectionKey, storageKey } from './collection-key.ts';
import { feedReport } from './feed-reports.ts';
import { FullRetries, retryBelow, retryInterval } from './full-retries.ts';
import { LearnGate } from './learn-gate.ts';
import type { RbacWatch } from './rbac-changes.ts';
import { RbacWatches } from './rbac-watches.ts';
import { healthOf, isUnserved } from './reflector-health.ts';
import { ServedFeeds } from './served-feeds.ts';
import { SharedStreams } from './shared-streams.ts';
import type { Shown } from './write-progress.ts';

/** A member as far as the cache reads it. */
export interface CachedMember {
  /** With the product's own credential, over whatever connection the member has now. */
  control: Upstream;
  /** Whether its last health probes passed. */
  isReady(): boolean;
}

export interface ResourceCacheOptions {
  /** In bytes. */
  memory: number;
  memberOf(cluster: ClusterName): CachedMember;
  log: Logger;
}

interface Events {
  /** The state of a resource has changed. Not emitted for changes of its counts. */
  state: [];
}

export class ResourceCache implements AsyncDisposable {
  readonly events = new EventEmitter<Events>();
  private readonly options: ResourceCacheOptions;
  private readonly shard: MemoryShard;
  private readonly gate = new ListGate({ clock: machineClock });
  private readonly learning = new LearnGate();
  private readonly resources = new Map<FeedId, CachedResource>();
  private readonly byCollection = new Map<string, CachedResource>();
  private readonly reflectors = new Map<FeedId, Reflector>();
  /** The last states that the shard pushed. */
  private readonly feedStates = new Map<FeedId, FeedState>();
  private readonly served: ServedFeeds;
  private readonly rbac: RbacWatches;
  /** The registered feeds by cluster and storage, in all versions and namespaces. */
  private byResource: ReadonlyMap<string, readonly RegisteredFeed[]> = new Map();
  private readonly ending = new Set<Promise<void>>();
  private readonly retrying: NodeJS.Timeout;
  private readonly fullRetries = new FullRetries(() => machineClock.now());
  private planned: NodeJS.Immediate | undefined;

  constructor(options: ResourceCacheOptions) {
    this.options = options;
    this.shard = new MemoryShard({
      limit: options.memory,
      fill: (spec, writer, report) => this.fill(spec, writer, report),
    });
    this.served = new ServedFeeds({
      shard: this.shard,
      streams: new SharedStreams(this.shard),
      isReady: (cluster) => options.memberOf(cluster).isReady(),
    });
    this.rbac = new RbacWatches({ ...options, gate: this.gate, endLater: (one) => this.endLater(one) });
    this.retrying = setInterval(() => void this.retryFullIfMemory(), retryInterval).unref();
    this.shard.states((states) => {
      for (const state of states) if (this.resources.has(state.feed)) this.feedStates.set(state.feed, state);
    });
  }

  /**
   * Sets the feeds that are registered from now on. `isRemoved`: whether a feed is dropped because its member was removed. Then
   * open watches are sent its objects as deleted (WATCH-5); otherwise they continue live.
   */
  want(feeds: readonly RegisteredFeed[], isRemoved: (feed: RegisteredFeed) => boolean = () => false): void {
    const registered = new Map(feeds.map((feed) => [feed.id, feed]));
    const goodbye: FeedId[] = [];
    const moved: FeedId[] = [];
    const members = new Map(feeds.map(({ cluster, member }) => [cluster, member]));
    let isAnyRemoved = false;
    for (const [id, resource] of [...this.resources]) {
      if (registered.has(id)) continue;
      isAnyRemoved = true;
      const { cluster, member } = resource.registered;
      const isGone = isRemoved(resource.registered);
      if (isGone) goodbye.push(id);
      if (isGone || (members.get(cluster) ?? member) !== member) moved.push(id);
      resource[Symbol.dispose]();
      this.resources.delete(id);
      this.feedStates.delete(id);
      this.fullRetries.forget(id);
      this.byCollection.delete(collectionKey(cluster, resource.registered));
    }
    for (const [id, feed] of registered) if (!this.resources.has(id)) this.add(feed);
    this.byResource = Map.groupBy(feeds, ({ cluster, ...of }) => storageKey(cluster, of));
    this.rbac.want(new Map(feeds.map(({ member, cluster }) => [member, cluster])));
    this.fillKnown({ goodbye, moved });
    if (isAnyRemoved) this.retryFull();
  }

  /** The feeds that contain, or will contain, what such a request writes: in all API versions, and groups that share its storage. */
  feedsWith(cluster: ClusterName, asked: Omit<AskedCollection, 'version'>): FeedId[] {
    const feeds = this.byResource.get(storageKey(cluster, asked)) ?? [];
    const isWithin = ({ namespace }: RegisteredFeed) =>
      namespace === undefined || asked.namespace === undefined || namespace === asked.namespace;
    return feeds.filter(isWithin).map(({ id }) => id);
  }

  shown(id: FeedId, key = ''): Shown {
    const writer = this.shard.writer(id);
    return { position: writer?.position, object: writer?.known(key) };
  }

  checkForRestore(id: FeedId): void {
    this.reflectors.get(id)?.checkForRestore();
  }

  /** Whether a feed shows that the object is deleted or, unless `isGone`, has a deletionTimestamp. */
  hasGone(id: FeedId, key: string, uid: string, isGone: boolean): boolean {
    return this.shard.writer(id)?.hasGone(key, uid, isGone) ?? false;
  }

  /** Whether the whole collection that a request reads is registered, filled or not. */
  isRequested(cluster: ClusterName, asked: AskedCollection): boolean {
    return this.resourceFor(cluster, asked) !== undefined;
  }

  /** Undefined if it is not registered, or not filled yet. */
  feedOf(cluster: ClusterName, asked: AskedCollection): CachedFeed | undefined {
    const resource = this.resourceFor(cluster, asked);
    const shape = resource?.shape;
    const reflector = resource && this.reflectors.get(resource.registered.id);
    const writer = resource && this.shard.writer(resource.registered.id);
    if (!resource || !shape || !reflector || writer?.position === undefined) return undefined;
    // A cluster-scoped resource below a namespace: the member answers 404.
    if (asked.namespace !== undefined && !resource.registered.namespaced) return undefined;
    const feed = this.served.of(writer, { resource, shape, reflector });
    if (feed.isShapeKnown()) return feed;
    resource.learnAgain();
    return undefined;
  }

  /** The OpenAPI of these groups and versions has changed: CustomResourceDefinitions may have (CACHE-14). */
  described(cluster: ClusterName, isAbout: (apiVersion: string) => boolean): void {
    for (const resource of this.resources.values()) {
      if (resource.registered.cluster === cluster && isAbout(resource.apiVersion)) resource.checkFields();
    }
  }

  /** The report on one collection (CACHE-2); undefined if exactly that is not registered. */
  stateOf(cluster: ClusterName, asked: AskedCollection): FeedReport | undefined {
    const resource = this.byCollection.get(collectionKey(cluster, asked));
    if (!resource) return undefined;
    return feedReport({
      failure: resource.failure,
      reflector: this.reflectors.get(resource.registered.id)?.state,
      feed: this.feedStates.get(resource.registered.id),
      isReady: this.options.memberOf(cluster).isReady(),
    });
  }

  /** Seconds since the last event or bookmark, of the most silent stream of each cluster (CACHE-7). */
  staleness(): Map<ClusterName, number> {
    const silent = new Map<ClusterName, number>();
    for (const [id, { state }] of this.reflectors) {
      const cluster = this.resources.get(id)?.registered.cluster;
      if (cluster === undefined || state.lastEvent === undefined) continue;
      silent.set(cluster, Math.max(silent.get(cluster) ?? 0, (machineClock.now() - state.lastEvent) / 1_000));
    }
    return silent;
  }

  stat(): Promise<ShardStat> {
    return this.shard.stat();
  }

  /** The changes of a member's RBAC objects, while anything of it is cached (IMP-3). */
  rbacOf(member: string): RbacWatch | undefined {
    return this.rbac.get(member);
  }

  /** By cluster of which anything is cached, whether its RBAC objects are watched just now. */
  get rbacWatched(): Map<ClusterName, boolean> {
    return this.rbac.watched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.retrying);
    this.want([]);
    await this.shard[Symbol.asyncDispose]();
    await Promise.all(this.ending);
  }

  private resourceFor(cluster: ClusterName, asked: AskedCollection): CachedResource | undefined {
    const whole = this.byCollection.get(collectionKey(cluster, { ...asked, namespace: undefined }));
    return whole ?? (asked.namespace === undefined ? undefined : this.byCollection.get(collectionKey(cluster, asked)));
  }

  private add(registered: RegisteredFeed): void {
    const { memberOf, log } = this.options;
    const resource = new CachedResource({
      registered,
      upstream: memberOf(registered.cluster).control,
      gate: this.learning,
      onShape: () => this.fillSoon(),
      onError: (error) => {
        log.debug(
          { err: error, cluster: registered.cluster, resource: registered.resource },
          'a resource cannot be cached yet',
        );
        this.events.emit('state');
      },
    });
    this.resources.set(registered.id, resource);
    this.byCollection.set(collectionKey(registered.cluster, registered), resource);
  }

  /** Once for all resources that become known in the same turn, as each call compares all feeds. */
  private fillSoon(): void {
    this.planned ??= setImmediate(() => this.fillKnown());
  }

  /** Passes the feeds whose shape is known to the shard, which starts new ones and leaves the others as they are. */
  private fillKnown(removed: Pick<Want, 'goodbye' | 'moved'> = {}): void {
    clearImmediate(this.planned);
    this.planned = undefined;
    const feeds = [...this.resources.values()].flatMap(({ spec }) => spec ?? []);
    const failed = (error: unknown) => this.options.log.error({ err: error }, 'updating the feeds of the cache failed');
    this.shard.want({ feeds, ...removed }).catch(failed);
  }

  private fill(spec: FeedSpec, writer: FeedWriter, report: (health: Health) => void): Disposable {
    const { cluster, id, resource } = spec;
    const { memberOf, log } = this.options;
    const reflector = new Reflector({
      member: cluster,
      upstream: memberOf(cluster).control,
      path: this.resources.get(id)!.path,
      writer,
      gate: this.gate,
      onState: (state) => {
        report(healthOf(state));
        this.events.emit('state');
        if (state.is === 'synced') this.fullRetries.forget(id);
        if (isUnserved(state)) this.restart(id);
      },
      onEnd: () => this.resources.get(id)?.checkFields(),
      onError: (error) => log.warn({ err: error, cluster, resource }, 'filling the cache failed, and is retried'),
    });
    this.reflectors.set(id, reflector);
    return {
      [Symbol.dispose]: () => {
        this.reflectors.delete(id);
        this.endLater(reflector);
      },
    };
  }

  /** The product can no longer read it, so it would never be updated: it is dropped, and requests and open watches go live. */
  private restart(id: FeedId): void {
    const resource = this.resources.get(id);
    if (!resource) return;
    resource[Symbol.dispose]();
    this.add(resource.registered);
    // Deferred, as this is called from within the reflector that will end.
    this.fillSoon();
  }

  private async retryFullIfMemory(): Promise<void> {
    const { bytes, limit } = await this.shard.stat();
    if (bytes < limit * retryBelow) this.retryFull((id) => this.fullRetries.isDue(id));
  }

  /** Retries feeds that did not fit into memory (CACHE-18). */
  private retryFull(isDue: (id: FeedId) => boolean = () => true): void {
    for (const [id, reflector] of this.reflectors) if (reflector.state.is === 'full' && isDue(id)) reflector.wake();
  }

  private endLater(one: AsyncDisposable): void {
    const ended = Promise.resolve(one[Symbol.asyncDispose]()).catch((error: unknown) =>
      this.options.log.error({ err: error }, 'stopping a watch of the cache failed'),
    );
    this.ending.add(ended);
    ended.finally(() => this.ending.delete(ended));
  }
}
