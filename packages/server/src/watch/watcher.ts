/** One client's watch: its position in each cluster, and the events that are still to be sent. */

import { Backoff } from '@fleet/client/backoff.ts';
import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { SourceList } from '../merge/source.ts';
import type { VersionMap } from '../present/versions.ts';
import type { ClusterName } from '../target/target.ts';
import type { Beginning } from './beginning.ts';
import { ClusterStates } from './cluster-states.ts';
import type { Sent } from './departed.ts';
import type { EventBatch, WatchEvent } from './event.ts';
import { EventQueue } from './event-queue.ts';
import { withVersions } from './event-versions.ts';
import type { Gap } from './gap.ts';
import { errorLine, inGap, notInView } from './lost.ts';
import { isBehind, isCovered } from './position.ts';
import type { SharedWatch } from './shared-watch.ts';
import type { WatcherOptions } from './watcher-options.ts';

/** In bytes: how much may wait for a watcher for longer than a moment. Bytes that wait for several watchers are in memory once. */
const queueLimit = 1024 * 1024;

export class Watcher {
  readonly body: EventQueue;
  readonly signal: AbortSignal;
  readonly sent: Sent = { since: 0, objects: false };
  private readonly over = new AbortController();
  private readonly options: WatcherOptions;
  private readonly shared: SharedWatch;
  readonly states = new ClusterStates();
  private columns: readonly ColumnDefinition[] | undefined;
  private endPending: boolean;
  /** Whether its client has a map from which it can resume. */
  private hasMap: boolean;
  /** Removed clusters whose deletions were sent: the client's version is not about a later cluster of the same name. */
  private readonly removed = new Set<ClusterName>();
  private lacking: { feeds: number; states: number; text: string } | undefined;

  constructor(shared: SharedWatch, options: WatcherOptions) {
    this.shared = shared;
    this.options = options;
    this.endPending = options.endPending;
    this.hasMap = options.hasMap;
    this.signal = this.over.signal;
    this.body = new EventQueue(queueLimit, () => this.leave());
  }

  /** Whether it was sent exactly what its feeds have sent so far, and will be sent the events of this cluster at once. */
  isInStep(cluster: ClusterName): boolean {
    const { apart, initial } = this.states;
    return apart === 0 && initial === 0 && this.states.get(cluster)?.phase !== 'asked';
  }

  /** Clusters that other watchers have and this one lacks, as text: watchers that lack the same get the same bookmarks. */
  get without(): string {
    const { clusters, size, revision } = this.shared.following();
    if (this.states.following === size) return '';
    const known = this.lacking;
    if (known?.feeds === revision && known.states === this.states.revision) return known.text;
    const text = [...clusters].filter((cluster) => !this.states.isFollowing(cluster)).join();
    this.lacking = { feeds: revision, states: this.states.revision, text };
    return text;
  }

  /** Resumes the clusters that it has a position in, and sends the initial lists of all others that are granted to it. */
  begin({ from, opened, refused, clusters }: Beginning, allowed: ReadonlySet<ClusterName>): void {
    for (const cluster of refused) this.states.set(cluster, { phase: 'refused' });
    const unasked = this.shared.attach(this, from, clusters, allowed);
    for (const [cluster, version] of from) {
      if (unasked.has(cluster)) this.goLiveWhenAllowed(cluster, version);
      else this.follow(cluster, version);
    }
    for (const cluster of clusters) this.join(cluster, opened.get(cluster));
    this.endInitial();
  }

  /** Sets the clusters that the control plane grants now. */
  settle(granted: ReadonlySet<ClusterName>): void {
    for (const cluster of this.states.clusters()) {
      if (!granted.has(cluster) && !this.shared.isLeaving(cluster)) this.lose(cluster, notInView(cluster));
    }
    for (const cluster of granted) this.join(cluster);
  }

  /** A cluster that is new to it: its initial list is sent in the open stream (WATCH-5). */
  join(cluster: ClusterName, opened?: SourceList): void {
    const phase = this.states.get(cluster)?.phase ?? 'absent';
    if (this.signal.aborted || phase !== 'absent' || this.shared.isLeaving(cluster)) return;
    this.states.set(cluster, { phase: 'initial', begun: false });
    this.sendInitialList(cluster, opened).catch((error: unknown) => this.fault(cluster, error));
  }

  /** The watch cannot resume in this cluster. No DELETED events are sent: the client lists again (WATCH-5, WATCH-6). */
  lose(cluster: ClusterName, error: StatusError): void {
    const phase = this.states.get(cluster)?.phase;
    if (this.signal.aborted) return;
    if (phase === 'live' || phase === 'asked' || phase === 'initial') this.fail(error);
    else this.states.delete(cluster);
  }

  /** The feed passes a gap, and the client's position is in it. */
  loseWithin(cluster: ClusterName, gap: Gap): void {
    if (this.states.isIn(cluster, gap)) this.lose(cluster, inGap(cluster));
  }

  /**
   * A removed cluster reports its objects as deleted. Only a watcher at the position of its feed was sent exactly these objects:
   * all others list again (WATCH-5).
   */
  beginGoodbye(cluster: ClusterName): void {
    const state = this.states.get(cluster);
    // Deleted objects have old versions: none of them identifies a position.
    if (state?.phase === 'live' && state.passed) this.sent.objects = true;
    else this.lose(cluster, notInView(cluster));
  }

  endGoodbye(cluster: ClusterName): void {
    this.states.delete(cluster);
    this.removed.add(cluster);
  }

  deliver(batch: EventBatch, position: string): void {
    const { cluster, events } = batch;
    const state = this.states.get(cluster);
    if (state?.phase === 'asked') this.progress(cluster, position);
    if (state?.phase !== 'live') return;
    if (!state.passed) {
      const { from } = state;
      if (!isBehind(position, from)) this.states.set(cluster, { ...state, passed: true });
      const unknown = events.filter(({ position }) => !isCovered(position, from));
      this.send(unknown, this.shared.versions && this.positions());
      return;
    }
    const { versions } = this.shared;
    if (!versions) this.sendBatch(batch);
    else if (this.states.apart > 0) this.send(events, this.positions());
    else this.sendBatch(versions.shared(batch, this.without, () => this.positions()));
  }

  /** The cluster's feed has reached a position without an event. */
  progress(cluster: ClusterName, position: string): void {
    const state = this.states.get(cluster);
    if (state?.phase === 'live' && !state.passed && !isBehind(position, state.from)) {
      this.states.set(cluster, { ...state, passed: true });
    }
    if (state?.phase === 'asked' && state.level) this.states.set(cluster, { ...state, level: false });
  }

  bookmark(): void {
    if (!this.options.bookmarks || this.endPending) return;
    this.hasMap = true;
    this.push(this.shared.bookmarks.of(this));
  }

  /** Ends between two events, with a bookmark if possible. */
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
    this.over.abort(new Error('the watch has ended'));
    // A position in the log is a position in every cluster of the log: it does not fit a watcher that lacks some of them.
    if (this.without !== '') this.sent.objects = true;
    this.shared.detach(this);
  }

  private fault(cluster: ClusterName, error: unknown): void {
    if (!this.signal.aborted) this.shared.onFault(error, cluster);
    this.finish();
  }

  /** The initial events are sent. Later ones are sent as they arrive. */
  private follow(cluster: ClusterName, from: string): void {
    const position = this.shared.positionOf(cluster) ?? from;
    this.states.set(cluster, { phase: 'live', from, passed: !isBehind(position, from) });
  }

  /** Its position is kept meanwhile: a client that disconnects can resume from it. */
  private goLiveWhenAllowed(cluster: ClusterName, from: string): void {
    this.states.set(cluster, { phase: 'asked', from, level: this.shared.positionOf(cluster) === from });
    this.isAllowed(cluster)
      .then((allowed) => {
        if (!allowed) return;
        // Others were sent these events earlier: their versions do not identify this watcher's position.
        const state = this.states.get(cluster);
        if (state?.phase === 'asked' && !state.level) this.sent.objects = true;
        if (!this.goLive(cluster, from)) this.finish();
      })
      .catch((error: unknown) => this.fault(cluster, error));
  }

  /** False if the watch has ended. An unreachable member is reviewed again: none of its events is sent before it allows the watch. */
  private async isAllowed(cluster: ClusterName): Promise<boolean> {
    const { signal } = this;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        if (await this.shared.isAllowed(cluster, this.options.asker)) return !signal.aborted;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (!signal.aborted) this.fail(error);
        return false;
      }
      await backoff.wait(signal).catch(() => {});
    }
    return false;
  }

  private async sendInitialList(cluster: ClusterName, opened: SourceList | undefined): Promise<void> {
    const { query: asked, sourceOf } = this.options;
    const query = this.removed.has(cluster) ? { ...asked, begin: () => asked.at('') } : asked;
    const { outcome, isNew } = await this.shared.initial(
      { cluster, opened, query, source: () => sourceOf(cluster), signal: this.signal },
      (batch) =>
        this.body.inTurn(() => {
          this.signal.throwIfAborted();
          this.sendInitial(batch);
        }),
    );
    if (this.signal.aborted) return;
    if (outcome.is === 'lost') return this.fail(outcome.error);
    if (outcome.is === 'sent') {
      // List and watch are two permissions. A feed that is opened for this watch checks the second by itself.
      if (!isNew && !(await this.isAllowed(cluster))) return;
      if (!this.goLive(cluster, outcome.version)) return this.finish();
      // Its last map marks the cluster as sent in part.
      if (this.hasMap && !this.endPending) this.shared.bookmarks.happened();
    } else this.states.set(cluster, { phase: outcome.is });
    if (outcome.is === 'absent') this.shared.joinWhenServing(cluster, this);
    this.endInitial();
  }

  private sendInitial(batch: EventBatch): void {
    // While the initial-events-end bookmark is pending, clients use no version from before it.
    if (!this.endPending) this.sent.objects = true;
    // The client's last map lacks the cluster: resuming from it would miss the deletion of these objects.
    if (this.states.begin(batch.cluster) && this.hasMap) this.bookmark();
    this.sendBatch(batch);
  }

  /** False if the log has dropped events since then: the client has to connect again. */
  private goLive(cluster: ClusterName, from: string): boolean {
    const missed = this.shared.since(cluster, from);
    if (!missed) return false;
    this.follow(cluster, from);
    this.send(missed, this.shared.versions && this.positions());
    return true;
  }

  private endInitial(): void {
    if (!this.endPending || this.states.initial > 0) return;
    this.endPending = false;
    if (!this.options.bookmarks) return;
    // The first event of a Table has the columns, whatever its type.
    const columns = this.columns ? undefined : this.shared.columns;
    this.columns ??= columns;
    this.hasMap = true;
    this.push(this.shared.bookmarks.endOfInitial(this, columns));
  }

  private positions(): VersionMap {
    return this.states.positions((cluster) => this.shared.positionOf(cluster));
  }

  /** Sends a whole batch unchanged. */
  private sendBatch({ events, bytes }: EventBatch): void {
    if (events[0]?.table) this.send(events);
    else this.push(bytes);
  }

  /** Sends events one by one: only some of a batch, or with columns or versions of their own. `from`: the position before them. */
  send(events: readonly WatchEvent[], from?: VersionMap): void {
    if (events.length === 0) return;
    const shown = from && this.shared.versions ? withVersions(events, from) : events;
    this.push(
      Buffer.concat(
        shown.map(({ bytes, table }) => {
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
