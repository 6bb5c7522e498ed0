/** A watch shared by all watchers of the same resource: one feed per member, one log, one encoding of every event (WATCH-1). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { SourceBatch } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { Absent } from './absent.ts';
import { Departed, keptFor } from './departed.ts';
import { EventEncoder } from './encode.ts';
import type { EventBatch, WatchEvent } from './event.ts';
import { EventLog, type Positions } from './event-log.ts';
import { EventVersions } from './event-versions.ts';
import { GrantedClusters } from './granted-clusters.ts';
import { type Initial, type InitialOptions, sendInitial } from './initial.ts';
import { notInView } from './lost.ts';
import type { FeedOptions } from './member-feed.ts';
import { MemberFeeds } from './member-feeds.ts';
import { type Asker, MemberPermissions } from './member-permissions.ts';
import type { SharedWatchOptions } from './shared-watch-options.ts';
import type { Watcher } from './watcher.ts';
import { WatcherBookmarks } from './watcher-bookmarks.ts';

const logLimits = { events: 4_000, bytes: 4 * 1024 * 1024 };

export class SharedWatch {
  /** Undefined if events have their own versions. */
  readonly versions: EventVersions | undefined;
  readonly bookmarks: WatcherBookmarks;
  readonly onFault: SharedWatchOptions['onFault'];
  private readonly options: SharedWatchOptions;
  private readonly encoder: EventEncoder;
  private readonly log = new EventLog(logLimits);
  private readonly feeds = new MemberFeeds();
  private readonly watchers = new Set<Watcher>();
  private readonly departed = new Departed(keptFor);
  private readonly over = new AbortController();
  private readonly permissions = new MemberPermissions(this.over.signal);
  private readonly absent: Absent<Watcher>;
  private readonly granted: GrantedClusters;
  private idle: NodeJS.Timeout | undefined;
  private entering = 0;

  constructor(options: SharedWatchOptions, clusters: readonly ClusterName[]) {
    this.options = options;
    this.onFault = options.onFault;
    const { shape, encodings, shapeKey } = options;
    this.encoder = new EventEncoder(shape, encodings, shapeKey);
    this.versions = shape.view.versions === 'maps' ? new EventVersions(encodings) : undefined;
    this.bookmarks = new WatcherBookmarks({
      form: shape.form,
      kind: options.kind,
      encodings,
      watchers: this.watchers,
      positionOf: (cluster) => this.positionOf(cluster),
    });
    this.absent = new Absent(options.serves);
    const toGrant = {
      ask: options.clusters,
      onFault: options.onFault,
      lose: (cluster: ClusterName) => {
        if (!this.isLeaving(cluster)) this.lose(cluster, notInView(cluster));
      },
      join: (cluster: ClusterName) => this.join(cluster),
      followed: () => this.feeds.clusters(),
      onChange: () => this.cover(),
    };
    this.granted = new GrantedClusters(toGrant, clusters);
  }

  get columns(): readonly ColumnDefinition[] | undefined {
    return this.encoder.shownColumns;
  }

  get watching(): number {
    return this.watchers.size;
  }

  /** It has no watchers, and is kept for clients that may resume. */
  get isUnused(): boolean {
    return this.watchers.size === 0 && this.entering === 0;
  }

  /** Whether a watcher of these clusters can resume from these positions with the events in the log. */
  reaches(from: Positions, clusters: readonly ClusterName[]): boolean {
    if (this.over.signal.aborted) return false;
    // Another member has joined under the name of a removed one, whose deletions are not for new watchers.
    if (clusters.some((cluster) => this.feeds.isLeaving(cluster))) return false;
    return from.entries().every(([cluster, version]) => !this.feeds.has(cluster) || this.log.covers(cluster, version));
  }

  resumeAt(version: string): Positions | undefined {
    return this.log.resumeAt(version, (event) => this.departed.takeBack(event));
  }

  positionOf(cluster: ClusterName): string | undefined {
    return this.feeds.positionOf(cluster);
  }

  /** Reviews access in members with open streams, before any of their events is sent. Returns those that allow it. */
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

  /** False: the member did not answer. Throws if it refuses. */
  isAllowed(cluster: ClusterName, asker: Asker): Promise<boolean> {
    return this.permissions.isAllowed(cluster, this.positionOf(cluster) ?? '', asker);
  }

  /** Returns the clusters of `from` whose feeds were open already: none of their events may be sent before an access review. */
  attach(
    watcher: Watcher,
    from: Positions,
    clusters: readonly ClusterName[],
    allowed: ReadonlySet<ClusterName>,
  ): ReadonlySet<ClusterName> {
    clearTimeout(this.idle);
    this.granted.start();
    const unasked = new Set<ClusterName>();
    for (const [cluster, version] of from) {
      if (!this.follow(cluster, version) && !allowed.has(cluster)) unasked.add(cluster);
    }
    this.watchers.add(watcher);
    const missed = this.log.after(new Map(from.entries().filter(([cluster]) => !unasked.has(cluster))));
    watcher.sent.since = this.log.numberOf(missed);
    watcher.send(missed, from);
    this.granted.add(watcher, clusters);
    return unasked;
  }

  detach(watcher: Watcher): void {
    this.watchers.delete(watcher);
    this.granted.forget(watcher);
    this.absent.forget(watcher);
    this.departed.add(watcher.sent, this.log.end);
    this.stopWhenIdle();
  }

  stop(): void {
    this.over.abort(new Error('there are no watchers any more'));
    clearTimeout(this.idle);
    this.absent.stop();
    this.granted.stop();
    this.bookmarks.stop();
    this.feeds.stop();
    for (const watcher of [...this.watchers]) watcher.finish();
  }

  /** Sends a watcher the initial list of a cluster. Events that arrive meanwhile are kept in the log. */
  async initial(
    asked: InitialOptions,
    send: (batch: EventBatch) => Promise<void>,
  ): Promise<{ outcome: Initial; isNew: boolean }> {
    using _kept = this.log.pin();
    let isNew = false;
    const outcome = await sendInitial({
      ...asked,
      form: this.options.shape.form,
      encoder: this.encoder,
      onVersion: (version) => {
        // An answer that arrives after its cluster was lost is ignored: another one may join under its name.
        if (!asked.signal.aborted) isNew = this.follow(asked.cluster, version);
      },
      send,
    });
    return { outcome, isNew };
  }

  /** The cluster joins when it serves the resource (WATCH-5). */
  joinWhenServing(cluster: ClusterName, watcher: Watcher): void {
    this.absent.add(cluster, watcher);
  }

  /** The events of a cluster after a version; undefined if the log lacks some of them. */
  since(cluster: ClusterName, version: string): WatchEvent[] | undefined {
    return this.log.covers(cluster, version) ? this.log.after(new Map([[cluster, version]])) : undefined;
  }

  /** Members were added or removed (WATCH-5). */
  refresh(): void {
    this.granted.refresh();
  }

  /** A member was removed, and may have been recreated under its name: that one joins with the next answer (WATCH-5). */
  leave(cluster: ClusterName): void {
    if (this.feeds.leave(cluster)) this.beginGoodbye(cluster);
    else if (this.granted.known.has(cluster)) this.granted.drop(cluster);
    else if (this.feeds.has(cluster) || this.granted.hasUnsettled) this.lose(cluster, notInView(cluster));
    this.granted.without(cluster);
  }

  /** The clusters whose events are sent now. */
  following(): { clusters: Iterable<ClusterName>; size: number; revision: number } {
    return { clusters: this.feeds.clusters(), size: this.feeds.size, revision: this.feeds.revision };
  }

  /** Its objects are being reported as deleted: one that joins under its name waits for the end of that. */
  isLeaving(cluster: ClusterName): boolean {
    return this.feeds.isLeaving(cluster);
  }

  /** False if it has a feed already. */
  private follow(cluster: ClusterName, from: string): boolean {
    if (this.feeds.has(cluster)) return false;
    this.log.begin(cluster, from);
    this.bookmarks.moved();
    const { sourceOf, serverOf, selection, shape } = this.options;
    const options: FeedOptions = {
      cluster,
      source: () => sourceOf(cluster),
      server: () => serverOf(cluster),
      ask: { selection, form: shape.form },
      onEvents: (batch) => this.happened(cluster, batch),
      onGap: (gap) => {
        this.log.addGap(cluster, gap);
        for (const watcher of [...this.watchers]) watcher.loseWithin(cluster, gap);
      },
      onProgress: (position) => {
        this.bookmarks.moved();
        for (const watcher of this.watchers) watcher.progress(cluster, position);
      },
      onGoodbye: () => this.endGoodbye(cluster),
      onCached: (isCached) => {
        if (this.granted.known.has(cluster)) this.options.onStream(cluster, !isCached);
      },
      onLost: (error) => this.lose(cluster, error),
      onFault: (error) => this.onFault(error, cluster),
    };
    this.feeds.open(options, from);
    return true;
  }

  private happened(cluster: ClusterName, source: SourceBatch): void {
    // A client that resumed at an event within a cluster's difference would miss the rest of it.
    const resumable = this.feeds.sent(cluster, source) && source.resumable;
    const batch = this.encoder.batch(cluster, source);
    this.bookmarks.moved();
    this.log.append(batch.events, resumable && this.watchers.values().every((watcher) => watcher.isInStep(cluster)));
    for (const watcher of this.watchers) watcher.deliver(batch, source.position);
    this.bookmarks.happened();
  }

  private lose(cluster: ClusterName, error: StatusError): void {
    const wasLeaving = this.isLeaving(cluster);
    this.close(cluster);
    for (const watcher of [...this.watchers]) watcher.lose(cluster, error);
    // Afterwards: watchers that leave because of it are among those that cannot resume.
    this.departed.clear();
    if (wasLeaving && this.granted.known.has(cluster)) this.join(cluster);
  }

  /** Reports its objects as deleted. Its entry stays in maps until all were sent, so that nobody resumes in between. */
  private beginGoodbye(cluster: ClusterName): void {
    this.granted.drop(cluster);
    for (const watcher of [...this.watchers]) watcher.beginGoodbye(cluster);
    this.departed.clear();
  }

  private endGoodbye(cluster: ClusterName): void {
    this.close(cluster);
    for (const watcher of this.watchers) watcher.endGoodbye(cluster);
    // The map without it needs a bookmark, also if there was nothing to delete.
    this.bookmarks.happened();
    // Another member may have joined under its name meanwhile.
    if (this.granted.known.has(cluster)) this.join(cluster);
  }

  private join(cluster: ClusterName): void {
    for (const watcher of [...this.watchers]) watcher.join(cluster);
  }

  private close(cluster: ClusterName): void {
    this.feeds.close(cluster);
    this.bookmarks.moved();
    this.log.forget(cluster);
  }

  /** Streams from the cache cost the members nothing, so they are not limited (LIMIT-2). */
  private cover(): void {
    const { isCached, onClusters } = this.options;
    onClusters([...this.granted.known].filter((cluster) => !this.feeds.isCached(cluster, isCached)));
  }

  private stopWhenIdle(): void {
    if (!this.isUnused || this.over.signal.aborted) return;
    this.granted.pause();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.options.onIdle(), keptFor).unref();
  }
}
