/**
 * One reading of a feed's events for all whose watches are at the same state: a thousand users cost one read and one copy of the
 * bytes. It knows no users; each reader is let in, and ended, by its own permission.
 */

import type { Events, EventsAnswer, EventsAsk, FeedId, ItemForm, Selection, Shard } from '@fleet/cache/messages.ts';
import type { SourceBatch } from '../merge/source.ts';

/** What is read, alike for those who share it. */
export interface StreamAsk {
  feed: FeedId;
  within?: string;
  selection: Selection;
  form: ItemForm;
}

/** Where a reader stands: as `after`, `skip` and `position` of the next question. */
export interface StreamPosition {
  after: number;
  skip: number;
  position: string;
}

/** In bytes. */
const batchSize = 256 * 1024;

export const questionOf = (ask: StreamAsk, { after, skip, position }: StreamPosition): EventsAsk => ({
  ...ask,
  after,
  skip,
  position,
  bytes: batchSize,
});

export const behind = ({ seq, skip, position }: Events): StreamPosition => ({ after: seq, skip, position });

/** Undefined where nothing follows. */
export type ToBatch = (answer: EventsAnswer, at: StreamPosition) => SourceBatch | undefined;

export interface SharedStreamOptions {
  shard: Shard;
  ask: StreamAsk;
  toBatch: ToBatch;
  /** Nothing more comes: whoever reads on asks anew. */
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
    // Not before its first reader is in.
    queueMicrotask(() => void this.run());
  }

  /** From where the stream is now. The last one that ends its reading ends the stream. */
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
    this.over.abort(new Error('nobody reads this stream any more'));
    this.options.onEnd();
  }

  private async run(): Promise<void> {
    const { shard, ask, toBatch } = this.options;
    const { signal } = this.over;
    try {
      while (!signal.aborted) {
        const answer = await shard.events(questionOf(ask, this.at), signal);
        if (signal.aborted) return;
        const batch = toBatch(answer, this.at);
        if (batch && answer.is === 'events') this.at = behind(answer);
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

/** One who reads along. */
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
    // What has come for others is not shown to one whose permission has gone.
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
