/** A response body with an idle timeout. It also knows since when received bytes have been waiting for their reader. */

// Imported by name, so that tests with fake timers can still read bodies.
import { setImmediate } from 'node:timers';
import type { Clock } from '@fleet/client/clock.ts';
import type { ReplyBody } from '@fleet/client/reply-body.ts';

export interface TimedBodyOptions {
  clock: Clock;
  /** The idle timeout, in milliseconds. */
  idleTimeout: number;
  signal: AbortSignal;
}

/** The connection is probably dead. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
}

export class TimedBody implements AsyncIterable<Buffer> {
  /** Since when the reader is behind what has arrived; undefined while it waits for more. */
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
    const { clock, idleTimeout, signal } = this.options;
    const unwanted = () => body.cancel(signal.reason);
    signal.addEventListener('abort', unwanted, { once: true });
    if (signal.aborted) unwanted();
    const silent = () => body.cancel(new SilentError(`no data for ${idleTimeout} ms`));
    let timer = clock.timer(idleTimeout, silent);
    try {
      this.waitForMore();
      for await (const chunk of body) {
        timer[Symbol.dispose]();
        this.isWaiting = false;
        this.busySince ??= clock.now();
        yield chunk;
        timer = clock.timer(idleTimeout, silent);
        this.waitForMore();
      }
    } finally {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', unwanted);
      body.cancel();
    }
  }

  /** Chunks that have already arrived are read in the same turn of the event loop; after it, the reader has caught up. */
  private waitForMore(): void {
    this.isWaiting = true;
    setImmediate(() => {
      if (this.isWaiting) this.busySince = undefined;
    });
  }
}
