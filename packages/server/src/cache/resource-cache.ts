/** The cache of this process: what ResourceRegistries want is filled by reflectors, and answers requests as the members allow. */

import { EventEmitter } from 'node:events';
import type { FeedWriter } from '@fleet/cache/feed-writer.ts';
import type { FeedId, FeedSpec, FeedState, Health, ShardStat } from '@fleet/cache/messages.ts';
import { ListGate } from '@fleet/cache/reflector/list-gate.ts';
import { Reflector } from '@fleet/cache/reflector/reflector.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { machineClock } from '@fleet/client/clock.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Logger } from 'pino';
import type { FeedReport } from '../registries/feed-report.ts';
import type { ClusterName } from '../target/target.ts';
import type { NamedFeed } from './cached-feed.ts';
import { CachedResource, type WantedFeed } from './cached-resource.ts';
import { type AskedCollection, keyOf, resourceOf } from './collection-key.ts';
import { feedReport } from './feed-reports.ts';
import { LearnGate } from './learn-gate.ts';
import { RbacChanges, type RbacWatch } from './rbac-changes.ts';
import { healthOf, isBroken, isUnserved, lastHeard } from './reflector-health.ts';
import { SharedStreams } from './shared-streams.ts';

/** A member as far as the cache reads it. */
export interface CachedMember {
  /** With the product's own credential, over whatever connection the member has now. */
  control: Upstream;
  /** Its last probes were well. */
  isReady(): boolean;
}

export interface ResourceCacheOptions {
  /** In bytes. */
  memory: number;
  memberOf(cluster: ClusterName): CachedMember;
  log: Logger;
}

interface Events {
  /** A resource has become synced or ceased to be; its counts change without it. */
  state: [];
}

/** In milliseconds: how often it is looked whether what did not fit may fit now. */
const retryInterval = 10_000;
/** The part of the memory that may be taken then: with less room it would be read in vain. */
const roomToTryAgain = 0.8;

export class ResourceCache implements AsyncDisposable {
  readonly events = new EventEmitter<Events>();
  private readonly options: ResourceCacheOptions;
  private readonly shard: MemoryShard;
  private readonly streams: SharedStreams;
  private readonly gate = new ListGate({ clock: machineClock });
  private readonly learning = new LearnGate();
  private readonly resources = new Map<FeedId, CachedResource>();
  private readonly byCollection = new Map<string, CachedResource>();
  private readonly reflectors = new Map<FeedId, Reflector>();
  /** As the shard last pushed them. */
  private readonly feedStates = new Map<FeedId, FeedState>();
  /** By the server that they are of. */
  private readonly rbac = new Map<string, RbacChanges>();
  /** By clusters and resources, whatever the version and namespace. */
  private held: ReadonlyMap<string, readonly WantedFeed[]> = new Map();
  private readonly ending = new Set<Promise<void>>();
  private readonly retrying: NodeJS.Timeout;
  private planned: NodeJS.Immediate | undefined;

  constructor(options: ResourceCacheOptions) {
    this.options = options;
    this.shard = new MemoryShard({
      limit: options.memory,
      fill: (spec, writer, report) => this.fill(spec, writer, report),
    });
    this.streams = new SharedStreams(this.shard);
    this.retrying = setInterval(() => void this.tryFullAgainWithMemory(), retryInterval).unref();
    this.shard.states((states) => {
      for (const state of states) if (this.resources.has(state.feed)) this.feedStates.set(state.feed, state);
    });
  }

  /**
   * All that is wanted from now on. `isRemoved`: of what no longer is, whether its member was removed, so that open watches are
   * sent its objects as deleted (WATCH-5); others go on live.
   */
  want(feeds: readonly WantedFeed[], isRemoved: (feed: WantedFeed) => boolean = () => false): void {
    const wanted = new Map(feeds.map((feed) => [feed.id, feed]));
    const goodbye: FeedId[] = [];
    let isLess = false;
    for (const [id, resource] of [...this.resources]) {
      if (wanted.has(id)) continue;
      isLess = true;
      if (isRemoved(resource.wanted)) goodbye.push(id);
      resource[Symbol.dispose]();
      this.resources.delete(id);
      this.feedStates.delete(id);
      this.byCollection.delete(keyOf(resource.wanted.cluster, resource.wanted));
    }
    for (const [id, feed] of wanted) if (!this.resources.has(id)) this.add(feed);
    this.held = Map.groupBy(feeds, ({ cluster, ...of }) => resourceOf(cluster, of));
    this.watchRbac(new Map(feeds.map(({ member, cluster }) => [member, cluster])));
    this.fillKnown(goodbye);
    if (isLess) this.tryFullAgain();
  }

  /** Those that have what such a request writes, or are about to: whatever the version by which it does. */
  feedsWith(cluster: ClusterName, asked: Omit<AskedCollection, 'version'>): FeedId[] {
    const feeds = this.held.get(resourceOf(cluster, asked)) ?? [];
    const isWithin = ({ namespace }: WantedFeed) =>
      namespace === undefined || asked.namespace === undefined || namespace === asked.namespace;
    return feeds.filter(isWithin).map(({ id }) => id);
  }

  /** Of the object that a feed has under a key now; undefined where it has none. */
  uidOf(id: FeedId, key: string): string | undefined {
    return this.shard.writer(id)?.uidOf(key);
  }

  /** Whether a feed shows that the object is gone, or is being deleted. */
  hasGone(id: FeedId, key: string, uid: string): boolean {
    return this.shard.writer(id)?.hasGone(key, uid) ?? false;
  }

  /** Whether all that a request reads is registered, filled or not. */
  isWanted(cluster: ClusterName, asked: AskedCollection): boolean {
    return this.resourceFor(cluster, asked) !== undefined;
  }

  /** Undefined where it is not registered, or not filled yet. */
  feedOf(cluster: ClusterName, asked: AskedCollection): NamedFeed | undefined {
    const resource = this.resourceFor(cluster, asked);
    const shape = resource?.shape;
    const reflector = resource && this.reflectors.get(resource.wanted.id);
    const writer = resource && this.shard.writer(resource.wanted.id);
    if (!resource || !shape || !reflector || writer?.position === undefined) return undefined;
    // Kubernetes has no such path: the member says so.
    if (asked.namespace !== undefined && !resource.wanted.namespaced) return undefined;
    const isShapeKnown = () => !shape.isGuessed || !writer.hasHeldObjects;
    if (!isShapeKnown()) {
      resource.learnAgain();
      return undefined;
    }
    const { isReady } = this.options.memberOf(cluster);
    return {
      id: resource.wanted.id,
      shard: this.shard,
      streams: this.streams,
      apiVersion: resource.apiVersion,
      listKind: shape.kind,
      endsWithVersion: shape.endsWithVersion,
      isFresh: () => isReady() && reflector.isFresh(),
      staleSince: () => (isReady() && !isBroken(reflector.state) ? undefined : lastHeard(reflector.state)),
      lastHeard: () => lastHeard(reflector.state),
      position: () => this.shard.writer(resource.wanted.id)?.position,
      isLeaving: () => this.shard.isLeaving(resource.wanted.id),
      areFieldsKnown: () => resource.areFieldsKnown && resource.hasFieldsOf(writer.spec),
      isShapeKnown,
      isPruned: resource.wanted.prunes ?? false,
    };
  }

  /** What a member publishes of these groups and versions has changed: its definitions may have (CACHE-14). */
  described(cluster: ClusterName, isAbout: (apiVersion: string) => boolean): void {
    for (const resource of this.resources.values()) {
      if (resource.wanted.cluster === cluster && isAbout(resource.apiVersion)) resource.checkFields();
    }
  }

  /** How far one resource is filled (CACHE-2); undefined where just that is not wanted. */
  stateOf(cluster: ClusterName, asked: AskedCollection): FeedReport | undefined {
    const resource = this.byCollection.get(keyOf(cluster, asked));
    if (!resource) return undefined;
    return feedReport({
      failure: resource.failure,
      reflector: this.reflectors.get(resource.wanted.id)?.state,
      feed: this.feedStates.get(resource.wanted.id),
      isReady: this.options.memberOf(cluster).isReady(),
    });
  }

  /** Since when the stream that was silent for longest has brought nothing, in seconds by clusters (CACHE-7). */
  staleness(): Map<ClusterName, number> {
    const silent = new Map<ClusterName, number>();
    const now = machineClock.now();
    for (const [id, { state }] of this.reflectors) {
      const cluster = this.resources.get(id)?.wanted.cluster;
      if (cluster === undefined || state.lastEvent === undefined) continue;
      silent.set(cluster, Math.max(silent.get(cluster) ?? 0, (now - state.lastEvent) / 1_000));
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

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.retrying);
    this.want([]);
    await this.shard[Symbol.asyncDispose]();
    await Promise.all(this.ending);
  }

  private resourceFor(cluster: ClusterName, asked: AskedCollection): CachedResource | undefined {
    const whole = this.byCollection.get(keyOf(cluster, { ...asked, namespace: undefined }));
    return whole ?? (asked.namespace === undefined ? undefined : this.byCollection.get(keyOf(cluster, asked)));
  }

  private add(wanted: WantedFeed): void {
    const { memberOf, log } = this.options;
    const resource = new CachedResource({
      wanted,
      upstream: memberOf(wanted.cluster).control,
      gate: this.learning,
      onShape: () => this.fillSoon(),
      onError: (error) => {
        log.debug({ err: error, cluster: wanted.cluster, resource: wanted.resource }, 'cannot be cached yet');
        this.events.emit('state');
      },
    });
    this.resources.set(wanted.id, resource);
    this.byCollection.set(keyOf(wanted.cluster, wanted), resource);
  }

  /** Once for all that become known in one turn: each time, all feeds are compared. */
  private fillSoon(): void {
    this.planned ??= setImmediate(() => this.fillKnown());
  }

  /** Those whose shape is known. The shard begins new ones and leaves the others as they are. */
  private fillKnown(goodbye: readonly FeedId[] = []): void {
    clearImmediate(this.planned);
    this.planned = undefined;
    const feeds = [...this.resources.values()].flatMap(({ spec }) => spec ?? []);
    this.shard.want({ feeds, goodbye }).catch((error: unknown) => this.options.log.error({ err: error }, 'the cache'));
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
        if (isUnserved(state)) this.beginAgain(id);
      },
      onEnd: () => this.resources.get(id)?.checkFields(),
      onError: (error) => log.warn({ err: error, cluster, resource }, 'filling the cache'),
    });
    this.reflectors.set(id, reflector);
    return {
      [Symbol.dispose]: () => {
        this.reflectors.delete(id);
        this.endLater(reflector);
      },
    };
  }

  /** What the member no longer lets the product read would stand still: it is dropped, so that requests and open watches go live. */
  private beginAgain(id: FeedId): void {
    const resource = this.resources.get(id);
    if (!resource) return;
    resource[Symbol.dispose]();
    this.add(resource.wanted);
    // Not from within the reflector that is to end.
    this.fillSoon();
  }

  private async tryFullAgainWithMemory(): Promise<void> {
    const { bytes, limit } = await this.shard.stat();
    if (bytes < limit * roomToTryAgain) this.tryFullAgain();
  }

  /** There is memory again (CACHE-18). */
  private tryFullAgain(): void {
    for (const reflector of this.reflectors.values()) if (reflector.state.is === 'full') reflector.wake();
  }

  private watchRbac(members: ReadonlyMap<string, ClusterName>): void {
    for (const [member, changes] of [...this.rbac]) {
      if (members.has(member)) continue;
      this.rbac.delete(member);
      this.endLater(changes);
    }
    for (const [member, cluster] of members) {
      if (this.rbac.has(member)) continue;
      const { memberOf, log } = this.options;
      const onError = (error: unknown) => log.debug({ err: error, cluster }, 'watching RBAC objects');
      const upstream = memberOf(cluster).control;
      this.rbac.set(member, new RbacChanges({ member: cluster, upstream, gate: this.gate, onError }));
    }
  }

  private endLater(one: AsyncDisposable): void {
    const ended = Promise.resolve(one[Symbol.asyncDispose]()).catch((error: unknown) =>
      this.options.log.error({ err: error }, 'ending what fills the cache'),
    );
    this.ending.add(ended);
    ended.finally(() => this.ending.delete(ended));
  }
}
