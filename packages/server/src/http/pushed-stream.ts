/** Another server's stream, pushed on as it comes: without a promise for every chunk, and together with all others. */

import type { ReplyBody } from '@fleet/client/reply-body.ts';
import { deliveries, joined, type Owed } from './deliveries.ts';
import type { PushedBody, Sink } from './message.ts';

export class PushedStream implements PushedBody, Owed {
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
      // A connection is used again, by others.
      this.sink = undefined;
      this.body.cancel();
    }
  }

  stop(): void {
    this.over.resolve();
  }

  /** As much as the connection takes. What it does not, holds the other server up. */
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
