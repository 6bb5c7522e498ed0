/**
 * Reads a feed's events once for all watches at the same state, so that a thousand users cost one read and one copy of the
 * bytes. It has no user: the permission of each watch is checked by its reader.
 */

import type { Events, EventsAnswer, EventsAsk, FeedId, ItemForm, Selection, Shard } from '@fleet/cache/messages.ts';
import type { SourceBatch } from '../merge/source.ts';

/** What is read; equal for all who share the stream. */
export interface StreamAsk {
  feed: FeedId;
  within?: string;
  selection: Selection;
  form: ItemForm;
}

/** A reader's position: the `after`, `skip` and `position` of its next `events` call. */
export interface StreamPosition {
  after: number;
  skip: number;
  position: string;
}

/** In bytes. */
const batchSize = 256 * 1024;

export const eventsAskOf = (ask: StreamAsk, { after, skip, position }: StreamPosition): EventsAsk => ({
  ...ask,
  after,
  skip,
  position,
  bytes: batchSize,
});

export const positionAfter = ({ seq, skip, position }: Events): StreamPosition => ({ after: seq, skip, position });

/** Undefined at the end of the feed. */
export type ToBatch = (answer: EventsAnswer, at: StreamPosition) => SourceBatch | undefined;

export interface SharedStreamOptions {
  shard: Shard;
  ask: StreamAsk;
  toBatch: ToBatch;
  /** The stream has ended: later readers need a new one. */
  onEnd(): void;
}

type Step = { is: 'batch'; batch: SourceBatch; next: StreamPosition } | { is: 'end' } | { is: 'error'; error: unknown };

export class SharedStream {
  at: StreamPosition;
  private readonly options: SharedStreamOptions;
  private readonly readers = new Set<StreamReader>();
  private readonly over = new AbortController();

  constructor(options: SharedStreamOptions, from: StreamPosition) {
    this.options = options;
    this.at = from;
    // Deferred, so that the first reader is registered by then.
    queueMicrotask(() => void this.run());
  }

  /** A reader from the stream's current position. The stream ends with its last reader. */
  reader(signal: AbortSignal): StreamReader {
    const reader = new StreamReader(signal, () => {
      this.readers.delete(reader);
      if (this.readers.size === 0) this.end();
    });
    this.readers.add(reader);
    return reader;
  }

  private end(): void {
    if (this.over.signal.aborted) return;
    this.over.abort(new Error('the stream has no readers any more'));
    this.options.onEnd();
  }

  private async run(): Promise<void> {
    const { shard, ask, toBatch } = this.options;
    const { signal } = this.over;
    try {
      while (!signal.aborted) {
        const answer = await shard.events(eventsAskOf(ask, this.at), signal);
        if (signal.aborted) return;
        const batch = toBatch(answer, this.at);
        if (batch && answer.is === 'events') this.at = positionAfter(answer);
        if (batch) this.push({ is: 'batch', batch, next: this.at });
        if (answer.is !== 'events') break;
      }
      this.push({ is: 'end' });
    } catch (error) {
      this.push({ is: 'error', error });
    }
    this.end();
  }

  private push(step: Step): void {
    for (const reader of [...this.readers]) reader.push(step);
  }
}

/** One watch's queue of batches. */
export class StreamReader implements Disposable {
  private readonly steps: Step[] = [];
  private readonly signal: AbortSignal;
  private readonly leave: () => void;
  private wake: (() => void) | undefined;

  constructor(signal: AbortSignal, leave: () => void) {
    this.signal = signal;
    this.leave = leave;
    signal.addEventListener('abort', this.aborted, { once: true });
  }

  push(step: Step): void {
    this.steps.push(step);
    this.wake?.();
  }

  /** Undefined at the end. Rejects with the signal's reason. */
  async next(): Promise<{ batch: SourceBatch; next: StreamPosition } | undefined> {
    while (this.steps.length === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    // Queued batches are not sent once the permission is revoked.
    this.signal.throwIfAborted();
    const step = this.steps.shift()!;
    if (step.is === 'error') throw step.error;
    return step.is === 'batch' ? step : undefined;
  }

  [Symbol.dispose](): void {
    this.signal.removeEventListener('abort', this.aborted);
    this.leave();
  }

  private readonly aborted = (): void => this.wake?.();
}
