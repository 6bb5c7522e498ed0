/** The events that are still to be sent to one watcher: in order, bounded, pushed into its answer or read by its writer. */

import { deliveries, joined, type PendingWrite } from '../http/deliveries.ts';
import type { PushedBody, Sink } from '../http/message.ts';

const spaceBelow = 128 * 1024;
const joinUpTo = 256 * 1024;

/** In milliseconds: how long more than the limit may wait. A burst, or a short lack of CPU, does not make a client slow. */
const patience = 2_000;
/** More than this many times the limit is never accepted. */
const burst = 8;

export class EventQueue implements PushedBody, PendingWrite {
  private waiting: Buffer[] = [];
  private size = 0;
  private ended = false;
  private wake: (() => void) | undefined;
  private onSpace: (() => void) | undefined;
  private turn = Promise.resolve();
  private sink: Sink | undefined;
  private blocked = false;
  /** Since when more than the limit waits. */
  private fullSince: number | undefined;
  private done: () => void = () => {};
  private readonly limit: number;
  private readonly onReturn: () => void;

  /** `onReturn`: called when its reader has gone, or has read everything; perhaps more than once. */
  constructor(limit: number, onReturn: () => void) {
    this.limit = limit;
    this.onReturn = onReturn;
  }

  /** False if it has been full for too long, whatever the size of this batch: its reader is too slow. */
  push(bytes: Buffer): boolean {
    // An empty batch is no event, and an empty chunk of HTTP/1.1 would end the answer.
    if (this.ended || bytes.length === 0) return true;
    if (this.isTooFull()) return false;
    this.waiting.push(bytes);
    this.size += bytes.length;
    this.wake?.();
    return true;
  }

  /**
   * Calls `push` when little is left to send, or nothing more will be. One at a time: the initial lists of hundreds of clusters
   * at once would be more than any reader takes.
   */
  async inTurn(push: () => void): Promise<void> {
    const pushed = this.turn.then(() => this.space()).then(push);
    this.turn = pushed.catch(() => {});
    await pushed;
  }

  /** Ends the queue. What is waiting is still sent. */
  end(): void {
    this.ended = true;
    this.wake?.();
    this.letIn();
  }

  /** Ends it for a reader that is gone or too slow. It has got whole events, and can resume from them. */
  drop(): void {
    this.waiting = [];
    this.size = 0;
    this.end();
    this.onReturn();
  }

  stop(): void {
    this.drop();
  }

  async pushInto(sink: Sink): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.sink = sink;
    this.done = resolve;
    this.wake = () => deliveries.add(this);
    using _ = sink.onDrain(() => {
      this.blocked = false;
      this.flush();
    });
    this.wake();
    await promise;
    // Listeners are removed, as the connection is reused.
    this.sink = undefined;
    this.drop();
  }

  /** Writes as much as the connection takes. */
  flush(): void {
    while (this.waiting.length > 0 && !this.blocked && this.sink) this.blocked = !this.sink.write(this.take());
    this.letIn();
    if (this.ended && this.waiting.length === 0) this.done();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, void, undefined> {
    const chunks = this.chunks();
    return {
      next: () => chunks.next(),
      // A generator that was never started would not notice the end.
      return: async () => {
        this.drop();
        return { done: true, value: undefined };
      },
    };
  }

  private async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      if (this.waiting.length > 0) yield this.take();
      else if (this.ended) break;
      else await this.something();
    }
    this.onReturn();
  }

  /** Bytes in the queue, and those that the connection has not sent yet. */
  private get unsent(): number {
    return this.size + (this.sink?.unsent ?? 0);
  }

  private isTooFull(): boolean {
    if (this.unsent <= this.limit) {
      this.fullSince = undefined;
      return false;
    }
    this.fullSince ??= performance.now();
    return this.unsent > burst * this.limit || performance.now() - this.fullSince > patience;
  }

  private async space(): Promise<void> {
    while (this.unsent >= spaceBelow && !this.ended) {
      await new Promise<void>((resolve) => {
        this.onSpace = resolve;
      });
    }
  }

  private something(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve();
      };
    });
  }

  private take(): Buffer {
    let count = 0;
    let size = 0;
    while (count < this.waiting.length && (count === 0 || size + this.waiting[count]!.length <= joinUpTo)) {
      size += this.waiting[count++]!.length;
    }
    const taken = this.waiting.splice(0, count);
    this.size -= size;
    this.letIn();
    return joined(taken);
  }

  private letIn(): void {
    if (this.unsent <= this.limit) this.fullSince = undefined;
    if (this.unsent >= spaceBelow && !this.ended) return;
    this.onSpace?.();
    this.onSpace = undefined;
  }
}
