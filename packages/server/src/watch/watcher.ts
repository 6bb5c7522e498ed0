/** One client's watch: which clusters it has been told how far, and what it still has to be sent. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { ListQuery } from '../merge/list-query.ts';
import type { SourceList } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { Beginning } from './beginning.ts';
import type { Sent } from './departed.ts';
import type { EventBatch, WatchEvent } from './event.ts';
import { EventQueue } from './event-queue.ts';
import { errorLine } from './lost.ts';
import { isBehind, isCovered, later } from './position.ts';
import type { SharedWatch } from './shared-watch.ts';

/** Bytes that may wait for a watcher for longer than a moment; those that wait for many are here once. */
const queueLimit = 1024 * 1024;

export interface WatcherOptions {
  bookmarks: boolean;
  /** It is owed a bookmark that says where what there was already ends (WATCH-3). */
  owedEnd: boolean;
  /** Asks for what there is already. */
  query: ListQuery;
}

/** A cluster in one watcher's view. */
type Leg =
  /** Its objects are being sent. */
  | { phase: 'initial' }
  /** Events up to `from` are known to the watcher; `passed`, once the cluster's feed has come that far, too. */
  | { phase: 'live'; from: string; passed: boolean }
  /** It does not serve the resource, or not to this user. */
  | { phase: 'absent' }
  | { phase: 'refused' };

export class Watcher {
  readonly body: EventQueue;
  readonly signal: AbortSignal;
  readonly sent: Sent = { since: 0, objects: false };
  private readonly over = new AbortController();
  private readonly options: WatcherOptions;
  private readonly shared: SharedWatch;
  private readonly legs = new Map<ClusterName, Leg>();
  private columns: readonly ColumnDefinition[] | undefined;
  private owedEnd: boolean;

  constructor(shared: SharedWatch, options: WatcherOptions) {
    this.shared = shared;
    this.options = options;
    this.owedEnd = options.owedEnd;
    this.signal = this.over.signal;
    this.body = new EventQueue(queueLimit, () => this.leave());
  }

  /** Whether it knows just what its feeds have told so far. */
  get inStep(): boolean {
    for (const leg of this.legs.values()) {
      if (leg.phase === 'initial' || (leg.phase === 'live' && !leg.passed)) return false;
    }
    return true;
  }

  /** Begins with the clusters it has been told of before, and with what there is in all others. */
  begin({ from, opened, refused, clusters }: Beginning): void {
    for (const [cluster, version] of from) this.legs.set(cluster, { phase: 'live', from: version, passed: false });
    for (const cluster of refused) this.legs.set(cluster, { phase: 'refused' });
    const all = this.shared.attach(this, from, clusters);
    for (const cluster of all) this.join(cluster, opened.get(cluster));
    this.endInitial();
  }

  /** A cluster that it has not been told of: what is there comes in the open stream (WATCH-5). */
  join(cluster: ClusterName, opened?: SourceList): void {
    const phase = this.legs.get(cluster)?.phase ?? 'absent';
    if (this.signal.aborted || phase !== 'absent') return;
    this.legs.set(cluster, { phase: 'initial' });
    this.tellInitial(cluster, opened).catch((error: unknown) => {
      if (!this.signal.aborted) this.shared.onFault(error, cluster);
      this.finish();
    });
  }

  /** Those that may come to serve the resource. */
  absent(): ClusterName[] {
    return [...this.legs].flatMap(([cluster, { phase }]) => (phase === 'absent' ? [cluster] : []));
  }

  /** One that cannot be gone on with; nothing is told as deleted (WATCH-5, WATCH-6). */
  lose(cluster: ClusterName, error: StatusError): void {
    const phase = this.legs.get(cluster)?.phase;
    if (phase === 'live' || phase === 'initial') this.fail(error);
    else this.legs.delete(cluster);
  }

  deliver({ cluster, events, bytes }: EventBatch, position: string): void {
    const leg = this.legs.get(cluster);
    if (leg?.phase !== 'live') return;
    if (!leg.passed) {
      const { from } = leg;
      leg.passed = !isBehind(position, from);
      this.send(events.filter(({ version }) => !isCovered(version, from)));
    } else if (events[0]?.table) this.send(events);
    else this.push(bytes);
  }

  /** The cluster's feed has come so far without an event. */
  progress(cluster: ClusterName, position: string): void {
    const leg = this.legs.get(cluster);
    if (leg?.phase === 'live') leg.passed ||= !isBehind(position, leg.from);
  }

  bookmark(): void {
    if (this.options.bookmarks && !this.owedEnd) this.push(this.shared.bookmarks.at(this.positions()));
  }

  /** Ends between two events, with a word on how far it came. */
  finish(): void {
    if (this.signal.aborted) return;
    this.bookmark();
    this.body.end();
    this.leave();
  }

  fail(error: StatusError): void {
    this.push(errorLine(error));
    this.body.end();
    this.leave();
  }

  private leave(): void {
    if (this.signal.aborted) return;
    this.over.abort(new Error('the watch is over'));
    this.shared.detach(this);
  }

  private async tellInitial(cluster: ClusterName, opened: SourceList | undefined): Promise<void> {
    const told = await this.shared.initial(
      { cluster, opened, query: this.options.query, signal: this.signal },
      async ({ events, bytes }) => {
        // With an end to wait for, clients take no version before it.
        if (!this.owedEnd) this.sent.objects = true;
        if (events[0]?.table) this.send(events);
        else this.push(bytes);
        await this.body.room();
        this.signal.throwIfAborted();
      },
    );
    if (this.signal.aborted) return;
    if (told.is === 'lost') return this.fail(told.error);
    if (told.is !== 'sent') this.legs.set(cluster, { phase: told.is });
    else if (!this.goLive(cluster, told.version)) return this.finish();
    this.endInitial();
  }

  /** False if the log has not kept what happened since: the client has to come again. */
  private goLive(cluster: ClusterName, from: string): boolean {
    const missed = this.shared.since(cluster, from);
    if (!missed) return false;
    const position = this.shared.positionOf(cluster) ?? from;
    this.legs.set(cluster, { phase: 'live', from, passed: !isBehind(position, from) });
    this.send(missed);
    return true;
  }

  private endInitial(): void {
    if (!this.owedEnd || this.legs.values().some(({ phase }) => phase === 'initial')) return;
    this.owedEnd = false;
    if (!this.options.bookmarks) return;
    // The first event of a Table brings the columns, whatever it is.
    const columns = this.columns ? undefined : this.shared.columns;
    this.columns ??= columns;
    this.push(this.shared.bookmarks.endOfInitial(this.positions(), columns));
  }

  /** Clusters whose objects are still being sent have none (WATCH-2). */
  private positions(): Map<ClusterName, string> {
    const positions = new Map<ClusterName, string>();
    for (const [cluster, leg] of this.legs) {
      if (leg.phase === 'live') positions.set(cluster, later(leg.from, this.shared.positionOf(cluster) ?? leg.from));
    }
    return positions;
  }

  /** One by one: not all of those that came together, or with columns that are new to it. */
  send(events: readonly WatchEvent[]): void {
    if (events.length === 0) return;
    this.push(
      Buffer.concat(
        events.map(({ bytes, table }) => {
          if (!table || table.columns === this.columns) return bytes;
          this.columns = table.columns;
          return table.withColumns();
        }),
      ),
    );
  }

  private push(bytes: Buffer): void {
    if (!this.body.push(bytes)) this.body.drop();
  }
}
