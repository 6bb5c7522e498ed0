/** One member's events for a shared watch: whenever the stream ends, it is reopened from its position (WATCH-4, WATCH-6). */

import { Backoff } from '@fleet/client/backoff.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { OpenWatch, Source, SourceBatch, WatchAnswer, WatchAsk } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { Gap } from './gap.ts';
import { lostIn, movedToOtherServer, notInView } from './lost.ts';

export interface FeedOptions {
  cluster: ClusterName;
  /** Called for each stream: the connection to a member may change (CLU-4). */
  source: () => Source;
  /** Identifies the API server that the cluster's name leads to now; undefined if that is not known. */
  server: () => string | undefined;
  ask: Omit<WatchAsk, 'from' | 'signal'>;
  /** Called with events, in order. The feed's position is already the one after them. */
  onEvents(batch: SourceBatch): void;
  /** Called before a gap: the events after it come next. */
  onGap(gap: Gap): void;
  /** The position has moved without an event. */
  onProgress(position: string): void;
  /** The member was removed, and all its objects have been reported as deleted (WATCH-5). */
  onGoodbye(): void;
  /** A stream was opened, or has ended: whether events come from the cache may have changed. */
  onCached(isCached: boolean): void;
  /** The watch cannot resume: the member no longer has the events, refuses, or no longer serves the resource. */
  onLost(error: StatusError): void;
  /** An unexpected error. */
  onFault(error: unknown): void;
}

export class MemberFeed {
  position: string;
  /** Whether the open stream comes from the cache. */
  isCached = false;
  private isLeaving = false;
  /** The API server whose versions its position is one of. */
  private server: string | undefined;
  private readonly options: FeedOptions;
  private readonly stopping = new AbortController();
  private readonly backoff = new Backoff();

  constructor(options: FeedOptions, from: string) {
    this.options = options;
    this.position = from;
    this.run().catch((error: unknown) => {
      options.onFault(error);
      if (!this.stopping.signal.aborted) options.onLost(lostIn(options.cluster, error));
    });
  }

  /** Stops sending, even events that have arrived: by then another feed may have the cluster's name. */
  stop(): void {
    this.stopping.abort(new Error('there are no watchers any more'));
  }

  /**
   * The member is removed. False: its stream cannot report that, as it is the member's own. Otherwise the objects follow as
   * deleted, then the end. A stream that breaks off before that is lost.
   */
  leave(): boolean {
    this.isLeaving = this.isCached;
    return this.isLeaving;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { cluster, onLost, onGoodbye } = this.options;
    while (!signal.aborted) {
      // Its versions mean nothing to another server: events would be missing, and objects left over.
      if (this.hasMoved()) return onLost(movedToOtherServer(cluster));
      const answer = await this.open();
      if (signal.aborted) return;
      const gone = answer && reasonToEnd(answer);
      if (gone !== undefined) return onLost(lostIn(cluster, gone));
      const ended = answer?.is === 'open' ? await this.readOpen(answer) : undefined;
      if (signal.aborted) return;
      if (ended === 'goodbye') return onGoodbye();
      if (ended) return onLost(lostIn(cluster, ended));
      if (this.isLeaving) return onLost(notInView(cluster));
      // A pause before the next attempt, as a member may fail, or end every watch at once.
      await this.backoff.wait(signal).catch(() => {});
    }
  }

  private hasMoved(): boolean {
    const now = this.options.server();
    this.server ??= now;
    return now !== undefined && now !== this.server;
  }

  private async open(): Promise<WatchAnswer | undefined> {
    const { source, ask } = this.options;
    try {
      return await source().watch({ ...ask, from: this.position, signal: this.stopping.signal });
    } catch {
      // The member was removed, or its connection is being replaced: the shared watch ends the feed, or the next attempt succeeds.
      return undefined;
    }
  }

  private async readOpen({ batches, isCached = false }: OpenWatch): Promise<StatusError | 'goodbye' | undefined> {
    this.cached(isCached);
    try {
      return await this.read(batches);
    } finally {
      this.cached(false);
    }
  }

  private cached(isCached: boolean): void {
    if (this.isCached === isCached) return;
    this.isCached = isCached;
    if (!this.stopping.signal.aborted) this.options.onCached(isCached);
  }

  /** Reads a stream until it ends. Returns why no later one can follow; undefined if one can. */
  private async read(batches: AsyncIterable<SourceBatch>): Promise<StatusError | 'goodbye' | undefined> {
    try {
      for await (const batch of batches) {
        // An aborted call still yields what has arrived.
        if (this.stopping.signal.aborted) return undefined;
        if (batch.isGoodbye) return 'goodbye';
        this.take(batch);
        if (!batch.isFailing) this.backoff.reset();
      }
    } catch (error) {
      if (error instanceof StatusError && error.code === 410) return error;
      // Broken off, or invalid: complete events were sent, the rest will be sent again by the member.
      if (error instanceof Untold) throw error;
    }
    return undefined;
  }

  private take(batch: SourceBatch): void {
    if (batch.unknown) this.options.onGap(batch.unknown);
    this.position = batch.position;
    if (batch.events.length === 0) {
      this.options.onProgress(batch.position);
      return;
    }
    try {
      this.options.onEvents(batch);
    } catch (cause) {
      throw new Untold('sending events failed', { cause });
    }
  }
}

/** The feed's position is already after these events, but not all watchers were sent them. */
class Untold extends Error {}

/** Why the answer to a watch from a valid position ends the feed. */
function reasonToEnd(answer: WatchAnswer): unknown {
  switch (answer.is) {
    case 'expired':
    case 'refused':
    case 'invalid':
      return answer.error;
    case 'absent':
      return 'it no longer serves the resource';
    default:
      return undefined;
  }
}
