/** Passes on another server's stream by callbacks: without a promise per chunk, and in the same slices as all other streams. */

import type { ReplyBody } from '@fleet/client/reply-body.ts';
import { deliveries, joined, type PendingWrite } from './deliveries.ts';
import type { PushedBody, Sink } from './message.ts';

export class PushedStream implements PushedBody, PendingWrite {
  private readonly body: ReplyBody;
  private sink: Sink | undefined;
  private blocked = false;
  private readonly over = Promise.withResolvers<void>();

  constructor(body: ReplyBody) {
    this.body = body;
  }

  async pushInto(sink: Sink): Promise<void> {
    this.sink = sink;
    using _ = sink.onDrain(() => {
      this.blocked = false;
      this.flush();
    });
    this.body.onArrival(() => deliveries.add(this));
    try {
      await this.over.promise;
    } finally {
      // Listeners are removed, as the connection is reused.
      this.sink = undefined;
      this.body.cancel();
    }
  }

  stop(): void {
    this.over.resolve();
  }

  /** Writes as much as the connection takes. The rest applies backpressure to the other server. */
  flush(): void {
    while (!this.blocked && this.sink) {
      const pieces = this.body.arrived();
      if (pieces.length === 0) break;
      this.blocked = !this.sink.write(joined(pieces));
    }
    try {
      if (this.body.isOver()) this.over.resolve();
    } catch (error) {
      this.over.reject(error);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, void, undefined> {
    return this.body[Symbol.asyncIterator]();
  }
}
