/** What watchers of the same thing share: one feed per member, one log, one encoding of every event (WATCH-1). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { SourceBatch } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { Absent } from './absent.ts';
import { Bookmarks } from './bookmark.ts';
import { BookmarkTimer } from './bookmark-timer.ts';
import { ControlPlaneGrants } from './control-plane-grants.ts';
import { Departed } from './departed.ts';
import { EventEncoder } from './encode.ts';
import type { EventBatch, WatchEvent } from './event.ts';
import { EventLog, type Positions } from './event-log.ts';
import { EventVersions } from './event-versions.ts';
import { type Initial, type InitialAsk, sendInitial } from './initial.ts';
import { notInView } from './lost.ts';
import { MemberFeed } from './member-feed.ts';
import { type Asker, MemberPermissions } from './member-permissions.ts';
import type { SharedWatchOptions } from './shared-watch-options.ts';
import type { Watcher } from './watcher.ts';

type InitialWish = Pick<InitialAsk, 'cluster' | 'opened' | 'query' | 'signal' | 'source'>;

const logLimits = { events: 4_000, bytes: 4 * 1024 * 1024 };
/** For so long a client that lost its connection can resume from the log. */
const keptFor = 60_000;

export class SharedWatch {
  /** Undefined where events have their own versions. */
  readonly versions: EventVersions | undefined;
  private readonly options: SharedWatchOptions;
  private readonly encoder: EventEncoder;
  private readonly log = new EventLog(logLimits);
  private readonly feeds = new Map<ClusterName, MemberFeed>();
  private readonly watchers = new Set<Watcher>();
  private readonly departed = new Departed(keptFor);
  private readonly bookmarks: Bookmarks;
  private readonly bookmarkTimer = new BookmarkTimer(() => this.bookmarkAll());
  private readonly over = new AbortController();
  private readonly permissions = new MemberPermissions(this.over.signal);
  private readonly absent: Absent<Watcher>;
  private readonly grants: ControlPlaneGrants;
  private idle: NodeJS.Timeout | undefined;
  private entering = 0;
  private known: ReadonlySet<ClusterName>;
  /** Watchers whose granted clusters differ from `known`: settled by the control plane's next answer. */
  private readonly unsettled = new Set<Watcher>();
  private feedsRevision = 0;
  private positionsRevision = 0;

  constructor(options: SharedWatchOptions, clusters: readonly ClusterName[]) {
    this.options = options;
    this.known = new Set(clusters);
    this.encoder = new EventEncoder(options.shape);
    this.versions = options.shape.view.versions === 'maps' ? new EventVersions() : undefined;
    this.bookmarks = new Bookmarks(options.shape.form, options.kind);
    this.absent = new Absent(options.serves);
    this.grants = new ControlPlaneGrants({
      ask: options.clusters,
      onAnswer: (granted, isWhole) => {
        this.settle(granted);
        if (isWhole) this.settleUngranted();
      },
      onFault: (error) => options.onFault(error),
    });
  }

  get columns(): readonly ColumnDefinition[] | undefined {
    return this.encoder.shownColumns;
  }

  get watching(): number {
    return this.watchers.size;
  }

  /** Kept only for those who may come back. */
  get isUnused(): boolean {
    return this.watchers.size === 0 && this.entering === 0;
  }

  /** Whether a watcher can resume from these positions with the events in the log. */
  reaches(from: Positions): boolean {
    if (this.over.signal.aborted) return false;
    return from.entries().every(([cluster, version]) => !this.feeds.has(cluster) || this.log.covers(cluster, version));
  }

  resumeAt(version: string): Positions | undefined {
    return this.log.resumeAt(version, (event) => this.departed.takeBack(event));
  }

  positionOf(cluster: ClusterName): string | undefined {
    return this.feeds.get(cluster)?.position;
  }

  /** Asks the members whose streams are open already, before anything of theirs is sent. Returns those that said yes. */
  async check(clusters: Iterable<ClusterName>, asker: Asker): Promise<ReadonlySet<ClusterName>> {
    clearTimeout(this.idle);
    this.entering++;
    using _kept = this.log.pin();
    const open = [...clusters].flatMap((cluster) => {
      const position = this.positionOf(cluster);
      return position === undefined ? [] : [[cluster, position] as const];
    });
    try {
      return await this.permissions.allAllowed(new Map(open), asker);
    } finally {
      this.entering--;
      this.stopWhenIdle();
    }
  }

  /** False: the member has not said. Throws where it refuses. */
  isAllowed(cluster: ClusterName, asker: Asker): Promise<boolean> {
    return this.permissions.isAllowed(cluster, this.positionOf(cluster) ?? '', asker);
  }

  /** Returns the clusters of `from` whose feeds were open already: nothing of theirs may be sent before an access review. */
  attach(
    watcher: Watcher,
    from: Positions,
    clusters: readonly ClusterName[],
    allowed: ReadonlySet<ClusterName>,
  ): ReadonlySet<ClusterName> {
    clearTimeout(this.idle);
    this.grants.start();
    const unasked = new Set<ClusterName>();
    for (const [cluster, version] of from) {
      if (!this.follow(cluster, version) && !allowed.has(cluster)) unasked.add(cluster);
    }
    this.watchers.add(watcher);
    const missed = this.log.after(new Map(from.entries().filter(([cluster]) => !unasked.has(cluster))));
    watcher.sent.since = this.log.numberOf(missed);
    watcher.send(missed, from);
    if (clusters.length !== this.known.size || clusters.some((cluster) => !this.known.has(cluster))) {
      // The two sets were read at different times, so either may be outdated: ask the control plane again.
      this.unsettled.add(watcher);
      this.grants.refresh();
    }
    return unasked;
  }

  detach(watcher: Watcher): void {
    this.watchers.delete(watcher);
    this.unsettled.delete(watcher);
    this.absent.forget(watcher);
    this.departed.add(watcher.sent, this.log.end);
    this.stopWhenIdle();
  }

  stop(): void {
    this.over.abort(new Error('nobody watches any more'));
    clearTimeout(this.idle);
    this.absent.stop();
    this.grants.stop();
    this.bookmarkTimer.stop();
    for (const feed of this.feeds.values()) feed.stop();
    for (const watcher of [...this.watchers]) watcher.finish();
  }

  /** Sends a watcher the initial list of a cluster; events that come meanwhile are kept for it. */
  async initial(
    asked: InitialWish,
    send: (batch: EventBatch) => Promise<void>,
  ): Promise<{ told: Initial; isNew: boolean }> {
    using _kept = this.log.pin();
    let isNew = false;
    const told = await sendInitial({
      ...asked,
      form: this.options.shape.form,
      encoder: this.encoder,
      onVersion: (version) => {
        // An answer that comes after its cluster was lost begins nothing: another one may join under its name.
        if (!asked.signal.aborted) isNew = this.follow(asked.cluster, version);
      },
      send,
    });
    return { told, isNew };
  }

  /** It joins when it begins to serve the resource (WATCH-5). */
  joinWhenServing(cluster: ClusterName, watcher: Watcher): void {
    this.absent.add(cluster, watcher);
  }

  /** What happened in a cluster after a version; undefined if not all of it is kept. */
  since(cluster: ClusterName, version: string): WatchEvent[] | undefined {
    return this.log.covers(cluster, version) ? this.log.after(new Map([[cluster, version]])) : undefined;
  }

  onFault(error: unknown, cluster: ClusterName): void {
    this.options.onFault(error, cluster);
  }

  /** Members have come or gone (WATCH-5). */
  refresh(): void {
    this.grants.refresh();
  }

  /** It has left, and may be back already, as another under its name: that one joins with the next answer (WATCH-5). */
  leave(cluster: ClusterName): void {
    if (this.known.has(cluster)) this.settle(this.known.difference(new Set([cluster])));
    else if (this.feeds.has(cluster) || this.unsettled.size > 0) this.lose(cluster, notInView(cluster));
    this.grants.without(cluster);
  }

  bookmark(watcher: Watcher): Buffer {
    const { states } = watcher;
    const positions = () => states.positions((cluster) => this.positionOf(cluster));
    if (states.apart > 0) return this.bookmarks.of(positions());
    return this.bookmarks.shared(this.positionsRevision, watcher.without, positions);
  }

  endOfInitial({ states }: Watcher, columns: readonly ColumnDefinition[] | undefined): Buffer {
    return this.bookmarks.endOfInitial(
      states.positions((cluster) => this.positionOf(cluster)),
      columns,
    );
  }

  /** Of which clusters events come, as they are now. */
  following(): { clusters: Iterable<ClusterName>; size: number; revision: number } {
    return { clusters: this.feeds.keys(), size: this.feeds.size, revision: this.feedsRevision };
  }

  /** What the control plane grants now: every watcher has just these clusters. */
  private settle(granted: ReadonlySet<ClusterName>): void {
    const before = this.known;
    this.known = granted;
    const [gone, come] = [[...before.difference(granted)], [...granted.difference(before)]];
    for (const cluster of gone) this.lose(cluster, notInView(cluster));
    for (const watcher of [...this.watchers]) for (const cluster of come) watcher.join(cluster);
    if (gone.length + come.length > 0) this.options.onClusters(granted);
  }

  /** Watchers may have opened feeds of clusters that are no longer granted. Left open, one would serve the next cluster of that name. */
  private settleUngranted(): void {
    const { known } = this;
    for (const cluster of [...this.feeds.keys()]) if (!known.has(cluster)) this.lose(cluster, notInView(cluster));
    for (const watcher of [...this.unsettled]) watcher.settle(known);
    this.unsettled.clear();
  }

  /** False if it is followed already. */
  private follow(cluster: ClusterName, from: string): boolean {
    if (this.feeds.has(cluster)) return false;
    this.log.begin(cluster, from);
    const { sourceOf, selection, shape } = this.options;
    const feed: MemberFeed = new MemberFeed(
      {
        cluster,
        source: () => sourceOf(cluster),
        ask: { selection, form: shape.form },
        onEvents: (batch) => this.happened(cluster, batch),
        onProgress: () => {
          this.positionsRevision++;
          for (const watcher of this.watchers) watcher.progress(cluster, feed.position);
        },
        onLost: (error) => this.lose(cluster, error),
        onFault: (error) => this.onFault(error, cluster),
      },
      from,
    );
    this.feeds.set(cluster, feed);
    this.feedsRevision++;
    this.positionsRevision++;
    return true;
  }

  private happened(cluster: ClusterName, { events, position, resumable }: SourceBatch): void {
    const batch = this.encoder.batch(cluster, events, resumable);
    this.positionsRevision++;
    this.log.append(batch.events, resumable && this.watchers.values().every((watcher) => watcher.isInStep(cluster)));
    for (const watcher of this.watchers) watcher.deliver(batch, position);
    this.bookmarkTimer.happened();
  }

  private lose(cluster: ClusterName, error: StatusError): void {
    this.feeds.get(cluster)?.stop();
    this.feeds.delete(cluster);
    this.feedsRevision++;
    this.positionsRevision++;
    this.log.forget(cluster);
    for (const watcher of [...this.watchers]) watcher.lose(cluster, error);
    // After them: those who leave because of it are among those who cannot come back.
    this.departed.clear();
  }

  private stopWhenIdle(): void {
    if (!this.isUnused || this.over.signal.aborted) return;
    this.grants.pause();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.options.onIdle(), keptFor).unref();
  }

  private bookmarkAll(): void {
    for (const watcher of this.watchers) watcher.bookmark();
  }
}
