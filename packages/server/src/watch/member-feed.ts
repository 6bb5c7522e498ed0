/** One member's events for a shared watch: whenever the stream ends, it is reopened from its position (WATCH-4, WATCH-6). */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { Source, WatchAnswer, WatchAsk } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import { Backoff } from './backoff.ts';
import { type EventLine, readEventLine } from './event-line.ts';
import { lostIn } from './lost.ts';

export interface ReadLine {
  line: Buffer;
  read: EventLine;
}

export interface FeedOptions {
  cluster: ClusterName;
  /** Called each time: the connection to a member may change (CLU-4). */
  source: () => Source;
  ask: Omit<WatchAsk, 'from' | 'signal'>;
  /** Events, in order; the feed's position is already behind them. */
  onEvents(lines: readonly ReadLine[]): void;
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
  private async read(batches: AsyncIterable<Buffer[]>): Promise<StatusError | undefined> {
    try {
      for await (const lines of batches) {
        // A call that was given up still yields what has come.
        if (this.stopping.signal.aborted) return undefined;
        const fatal = this.take(lines);
        if (fatal === 'over') return undefined;
        if (fatal) return fatal;
        this.backoff.reset();
      }
    } catch (error) {
      // Broken off, or garbage: what came whole was taken, the rest comes again.
      if (error instanceof Untold) throw error;
    }
    return undefined;
  }

  private take(lines: readonly Buffer[]): StatusError | 'over' | undefined {
    const events: ReadLine[] = [];
    let moved = false;
    const tell = () => {
      if (events.length > 0) this.tell(events);
      else if (moved) this.options.onProgress();
    };
    try {
      for (const line of lines) {
        const read = readEventLine(line);
        if (read.type === 'ERROR') return afterError(line.subarray(read.object.start, read.object.end));
        if (read.version !== '') this.position = read.version;
        moved = true;
        if (read.type !== 'BOOKMARK') events.push({ line, read });
      }
    } finally {
      tell();
    }
    return undefined;
  }

  private tell(events: readonly ReadLine[]): void {
    try {
      this.options.onEvents(events);
    } catch (cause) {
      throw new Untold('events could not be told', { cause });
    }
  }
}

/** The feed is already past these events, and watchers have not been told all of them. */
class Untold extends Error {}

function afterError(status: Buffer): StatusError | 'over' {
  const { code } = JSON.parse(status.toString()) as { code?: number };
  return code === 410 ? errorOf(410, status) : 'over';
}

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
