/** What watchers of the same thing share: one feed per member, one log, one encoding of every event (WATCH-1). */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { ObjectKind } from '../discovery/resource-kind.ts';
import type { Source } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { Bookmarks } from './bookmark.ts';
import { Departed } from './departed.ts';
import { EventEncoder, type WatchShape } from './encode.ts';
import type { EventBatch, WatchEvent } from './event.ts';
import { EventLog, type Positions } from './event-log.ts';
import { type Initial, type InitialAsk, sendInitial } from './initial.ts';
import { notInView } from './lost.ts';
import { MemberFeed, type ReadLine } from './member-feed.ts';
import { Pace } from './pace.ts';
import type { Watcher } from './watcher.ts';

export interface SharedWatchOptions {
  shape: WatchShape;
  kind: ObjectKind;
  /** What selects and shapes the events. */
  selection: string;
  /** The way to a member's resource as it is now. */
  sourceOf(cluster: ClusterName): Source;
  /** The members of the view that the user may reach, as they are now. */
  clusters(): Promise<readonly ClusterName[]>;
  serves(cluster: ClusterName): Promise<boolean>;
  onFault(error: unknown, cluster?: ClusterName): void;
  /** Nobody has watched for a while. */
  onIdle(): void;
}

type InitialWish = Pick<InitialAsk, 'cluster' | 'opened' | 'query' | 'signal'>;

const logLimits = { events: 4_000, bytes: 4 * 1024 * 1024 };
/** A client that lost its connection finds its place in the log for so long. */
const keptFor = 60_000;
const lookForServing = 2_000;

export class SharedWatch {
  readonly bookmarks: Bookmarks;
  private readonly options: SharedWatchOptions;
  private readonly encoder: EventEncoder;
  private readonly log = new EventLog(logLimits);
  private readonly feeds = new Map<ClusterName, MemberFeed>();
  private readonly watchers = new Set<Watcher>();
  private readonly departed = new Departed(keptFor);
  private readonly pace = new Pace(() => this.bookmarkAll());
  private idle: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;
  private known: ReadonlySet<ClusterName>;

  constructor(options: SharedWatchOptions, clusters: readonly ClusterName[]) {
    this.options = options;
    this.known = new Set(clusters);
    this.encoder = new EventEncoder(options.shape);
    this.bookmarks = new Bookmarks(options.shape.form, options.kind);
  }

  get columns(): readonly ColumnDefinition[] | undefined {
    return this.encoder.shownColumns;
  }

  get watching(): number {
    return this.watchers.size;
  }

  /** Whether a watcher can go on from there with what is kept here. */
  reaches(from: Positions): boolean {
    return [...from].every(([cluster, version]) => !this.feeds.has(cluster) || this.log.covers(cluster, version));
  }

  resumeAt(version: string): Positions | undefined {
    return this.log.resumeAt(version, (event) => this.departed.takeBack(event));
  }

  positionOf(cluster: ClusterName): string | undefined {
    return this.feeds.get(cluster)?.position;
  }

  /** Returns the clusters of the view as they are known here, the watcher's among them. */
  attach(watcher: Watcher, from: Positions, clusters: readonly ClusterName[]): ReadonlySet<ClusterName> {
    clearTimeout(this.idle);
    for (const [cluster, version] of from) this.follow(cluster, version);
    this.watchers.add(watcher);
    const missed = this.log.after(from);
    watcher.sent.since = this.log.numberOf(missed);
    watcher.send(missed);
    for (const [cluster, { position }] of this.feeds) watcher.progress(cluster, position);
    const all = new Set([...this.known, ...clusters]);
    // One of two that looked at different moments knows better; a third look tells.
    if (all.size > this.known.size) this.refresh().catch((error: unknown) => this.options.onFault(error));
    this.known = all;
    return all;
  }

  detach(watcher: Watcher): void {
    this.watchers.delete(watcher);
    this.departed.add(watcher.sent, this.log.end);
    if (this.watchers.size > 0) return;
    this.idle = setTimeout(() => this.options.onIdle(), keptFor).unref();
  }

  stop(): void {
    clearTimeout(this.idle);
    clearTimeout(this.looking);
    this.pace.stop();
    for (const feed of this.feeds.values()) feed.stop();
    for (const watcher of [...this.watchers]) watcher.finish();
  }

  /** Sends a watcher what there is in a cluster; what happens meanwhile is kept for it. */
  async initial(asked: InitialWish, send: (batch: EventBatch) => Promise<void>): Promise<Initial> {
    using _kept = this.log.pin();
    const { cluster } = asked;
    const told = await sendInitial({
      ...asked,
      source: () => this.options.sourceOf(cluster),
      form: this.options.shape.form,
      encoder: this.encoder,
      onVersion: (version) => this.follow(cluster, version),
      send,
    });
    if (told.is === 'absent') this.lookForServing();
    return told;
  }

  /** What happened in a cluster after a version; undefined if not all of it is kept. */
  since(cluster: ClusterName, version: string): WatchEvent[] | undefined {
    return this.log.covers(cluster, version) ? this.log.after(new Map([[cluster, version]])) : undefined;
  }

  onFault(error: unknown, cluster: ClusterName): void {
    this.options.onFault(error, cluster);
  }

  /** Members have come or gone (WATCH-5). */
  async refresh(): Promise<void> {
    const clusters = new Set(await this.options.clusters());
    // Not before: others may have changed it meanwhile.
    const before = this.known;
    this.known = clusters;
    for (const cluster of before) if (!clusters.has(cluster)) this.lose(cluster, notInView(cluster));
    for (const cluster of clusters) {
      if (!before.has(cluster)) for (const watcher of [...this.watchers]) watcher.join(cluster);
    }
  }

  private follow(cluster: ClusterName, from: string): void {
    if (this.feeds.has(cluster)) return;
    this.log.begin(cluster, from);
    const { sourceOf, selection, shape } = this.options;
    const feed: MemberFeed = new MemberFeed(
      {
        cluster,
        source: () => sourceOf(cluster),
        ask: { selection, form: shape.form },
        onEvents: (lines) => this.happened(cluster, lines, feed),
        onProgress: () => {
          for (const watcher of this.watchers) watcher.progress(cluster, feed.position);
        },
        onLost: (error) => {
          if (this.feeds.get(cluster) === feed) this.lose(cluster, error);
        },
        onFault: (error) => this.onFault(error, cluster),
      },
      from,
    );
    this.feeds.set(cluster, feed);
  }

  private happened(cluster: ClusterName, lines: readonly ReadLine[], { position }: MemberFeed): void {
    const batch = this.encoder.batch(cluster, lines);
    this.log.append(
      batch.events,
      this.watchers.values().every(({ inStep }) => inStep),
    );
    for (const watcher of this.watchers) watcher.deliver(batch, position);
    this.pace.happened();
  }

  private lose(cluster: ClusterName, error: StatusError): void {
    this.feeds.get(cluster)?.stop();
    this.feeds.delete(cluster);
    this.log.forget(cluster);
    for (const watcher of [...this.watchers]) watcher.lose(cluster, error);
  }

  private bookmarkAll(): void {
    for (const watcher of this.watchers) watcher.bookmark();
  }

  /** One that begins to serve the resource counts as joining. */
  private lookForServing(): void {
    this.looking ??= setTimeout(async () => {
      this.looking = undefined;
      const absent = new Set([...this.watchers].flatMap((watcher) => watcher.absent()));
      for (const cluster of absent) {
        if (!(await this.options.serves(cluster).catch(() => false))) continue;
        for (const watcher of this.watchers) if (watcher.absent().includes(cluster)) watcher.join(cluster);
      }
      if (absent.size > 0) this.lookForServing();
    }, lookForServing).unref();
  }
}
