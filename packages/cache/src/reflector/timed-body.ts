/**
 * A body read against the clock: it is ended when its sender falls silent or nobody wants it any more, and knows since when
 * what has arrived waits.
 */

// By name: a test that stands still in time still reads bodies.
import { setImmediate } from 'node:timers';
import type { Clock } from '@fleet/client/clock.ts';
import type { ReplyBody } from '@fleet/client/reply-body.ts';

export interface TimedBodyOptions {
  clock: Clock;
  /** For how long its sender may be silent, in milliseconds. */
  patience: number;
  signal: AbortSignal;
}

export class TimedBody implements AsyncIterable<Buffer> {
  /** Since when its reader has not caught up with what arrived; undefined where it waits for more. */
  busySince: number | undefined;
  private readonly body: ReplyBody;
  private readonly options: TimedBodyOptions;
  private isWaiting = false;

  constructor(body: ReplyBody, options: TimedBodyOptions) {
    this.body = body;
    this.options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    const { body } = this;
    const { clock, patience, signal } = this.options;
    const unwanted = () => body.cancel(signal.reason);
    signal.addEventListener('abort', unwanted, { once: true });
    if (signal.aborted) unwanted();
    const silent = () => body.cancel(new Error(`nothing arrived for ${patience} ms`));
    let timer = clock.timer(patience, silent);
    try {
      this.waitForMore();
      for await (const chunk of body) {
        timer[Symbol.dispose]();
        this.isWaiting = false;
        this.busySince ??= clock.now();
        yield chunk;
        timer = clock.timer(patience, silent);
        this.waitForMore();
      }
    } finally {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', unwanted);
      body.cancel();
    }
  }

  /** What is there already comes in the same turn of the event loop. */
  private waitForMore(): void {
    this.isWaiting = true;
    setImmediate(() => {
      if (this.isWaiting) this.busySince = undefined;
    });
  }
}
