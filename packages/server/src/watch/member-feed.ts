/** One member's events for a shared watch: whenever the stream ends, it is reopened from its position (WATCH-4, WATCH-6). */

import { Backoff } from '@fleet/client/backoff.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Source, SourceBatch, WatchAnswer, WatchAsk } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { lostIn } from './lost.ts';

export interface FeedOptions {
  cluster: ClusterName;
  /** Called each time: the connection to a member may change (CLU-4). */
  source: () => Source;
  ask: Omit<WatchAsk, 'from' | 'signal'>;
  /** Events, in order; the feed's position is already behind them. */
  onEvents(batch: SourceBatch): void;
  /** The position has moved though nothing happened. */
  onProgress(): void;
  /** The watch cannot resume: the member no longer has the events, refuses, or no longer serves the resource. */
  onLost(error: StatusError): void;
  /** What nobody expected. */
  onFault(error: unknown): void;
}

export class MemberFeed {
  position: string;
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

  /** No event is sent any more, even one that has arrived: another feed may have the cluster's name by then. */
  stop(): void {
    this.stopping.abort(new Error('nobody watches any more'));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const answer = await this.open();
      if (signal.aborted) return;
      const gone = answer && reasonToEnd(answer);
      if (gone !== undefined) {
        this.options.onLost(lostIn(this.options.cluster, gone));
        return;
      }
      const ended = answer?.is === 'open' ? await this.read(answer.batches) : undefined;
      if (signal.aborted) return;
      if (ended) {
        this.options.onLost(lostIn(this.options.cluster, ended));
        return;
      }
      // A member that fails, or ends every watch at once, is not asked in a tight loop.
      await this.backoff.wait(signal).catch(() => {});
    }
  }

  private async open(): Promise<WatchAnswer | undefined> {
    const { source, ask } = this.options;
    try {
      return await source().watch({ ...ask, from: this.position, signal: this.stopping.signal });
    } catch {
      // Removed, or being changed: whoever watches the members ends the feed, or the next attempt succeeds.
      return undefined;
    }
  }

  /** Until it ends, which a later one follows; returns why none can. */
  private async read(batches: AsyncIterable<SourceBatch>): Promise<StatusError | undefined> {
    try {
      for await (const batch of batches) {
        // A call that was given up still yields what has come.
        if (this.stopping.signal.aborted) return undefined;
        this.take(batch);
        if (!batch.isFailing) this.backoff.reset();
      }
    } catch (error) {
      if (error instanceof StatusError && error.code === 410) return error;
      // Broken off, or garbage: what came whole was taken, the rest comes again.
      if (error instanceof Untold) throw error;
    }
    return undefined;
  }

  private take(batch: SourceBatch): void {
    this.position = batch.position;
    if (batch.events.length === 0) {
      this.options.onProgress();
      return;
    }
    try {
      this.options.onEvents(batch);
    } catch (cause) {
      throw new Untold('events could not be told', { cause });
    }
  }
}

/** The feed is already past these events, and watchers have not been told all of them. */
class Untold extends Error {}

/** Of an answer to a watch from a position that was good once. */
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
