/** The streamed body of a response: bytes with backpressure, small reads joined into larger chunks. */

// A named import, which fake timers do not replace: tests with a stopped clock still read bodies.
import { setImmediate } from 'node:timers';
import { type AnswerMemory, small, unshared } from '@fleet/kube/answer-memory.ts';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { joinPieces } from './chunk-memory.ts';
import { TurnShare } from './turn-share.ts';

/** The producer of the bytes, which the reader can pause or abort. */
export interface BodyProducer {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Called with the number of received bytes, and once at the end, however the body ended. */
export interface BodyMeter {
  came(bytes: number): void;
  closed(): void;
}

const highWater = 512 * 1024;
const joinUpTo = 256 * 1024;
/** The memory overhead of a chunk: a server may send single bytes. */
const chunkCost = 256;

export class ReplyBody implements AsyncIterable<Buffer> {
  /** The limit for its memory (SEC-2). */
  readonly memory: AnswerMemory;
  private readonly producer: BodyProducer;
  private readonly share: TurnShare;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private paused = false;
  /** Waits for the next turn of the event loop. */
  private waits = false;
  private ended = false;
  private failure: Error | undefined;
  private aborting: AbortController | undefined;
  private wake: (() => void) | undefined;
  private received = 0;
  private meter: BodyMeter | undefined;
  private whenOver: (() => void) | undefined;

  /** Responses of the same server share one budget per turn of the event loop. */
  constructor(producer: BodyProducer, memory = unshared, share = new TurnShare()) {
    this.memory = memory.until(() => this.gone);
    this.producer = producer;
    this.share = share;
  }

  measure(meter: BodyMeter): void {
    meter.came(this.received);
    if (this.ended || this.failure) meter.closed();
    else this.meter = meter;
  }

  /** Calls back once, when the last byte has arrived or the body has failed. Supports one listener. */
  whenClosed(listener: () => void): void {
    if (this.ended || this.failure) listener();
    else this.whenOver = listener;
  }

  push(chunk: Buffer): void {
    this.received += chunk.length;
    this.meter?.came(chunk.length);
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    this.waits = !this.share.take(chunk.length + chunkCost, this.nextTurn);
    this.pauseOrResume();
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.closed();
    this.wake?.();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.aborting?.abort(error);
    this.closed();
    this.wake?.();
  }

  /** Cancels the rest. Does nothing after the end. */
  cancel(reason = new Error('body cancelled by its reader')): void {
    if (this.ended || this.failure) return;
    this.failure = reason;
    this.aborting?.abort(reason);
    this.chunks = [];
    this.producer.abort(reason);
    this.closed();
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        if (this.chunks.length > 0) {
          yield this.take();
          continue;
        }
        if (this.failure) throw this.failure;
        if (this.ended) return;
        await this.somethingNew();
      }
    } finally {
      this.cancel();
    }
  }

  /** An alternative to reading it as an iterator: calls back whenever bytes have arrived, or no more will. */
  onArrival(listener: () => void): void {
    this.wake = listener;
    listener();
  }

  /** The bytes that have arrived, or part of them if there are many. */
  arrived(): Buffer[] {
    return this.chunks.length > 0 ? this.takePieces() : [];
  }

  /** Whether everything was read and nothing more will come. Throws if the body failed. */
  isOver(): boolean {
    if (this.chunks.length > 0) return false;
    if (this.failure) throw this.failure;
    return this.ended;
  }

  /** The whole body, if it has arrived: small responses come with their head, and can be forwarded in one write. */
  whole(): Buffer | undefined {
    if (!this.ended || this.failure || this.buffered === 0 || this.buffered > joinUpTo) return undefined;
    return this.take();
  }

  /** The whole body of an error response, without waiting for memory: it is never large. */
  refusal(): Promise<Buffer> {
    return this.bytes(Math.min(small, this.memory.objectLimit));
  }

  /** The whole body, for small responses or ones that are parsed at once. Throws above `limit`, and cancels the rest. */
  async bytes(limit = this.memory.objectLimit): Promise<Buffer> {
    const lease = this.memory.lease(limit);
    using bytes = new GrowingBytes(limit, lease);
    for await (const chunk of this) {
      bytes.append(chunk);
      await lease.admitted();
    }
    return bytes.take();
  }

  /**
   * Resolves at the end of the turn of the event loop in which bytes arrived: TLS gives records of 16 KiB one by one,
   * and many arrive in one turn. Handling each separately cost more than the work on it.
   */
  private somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        setImmediate(resolve);
      };
    });
  }

  private readonly nextTurn = (): void => {
    this.waits = false;
    this.pauseOrResume();
  };

  private pauseOrResume(): void {
    if (this.ended || this.failure) return;
    const isFull = this.held > (this.paused ? highWater / 2 : highWater);
    const paused = this.waits || isFull;
    if (paused === this.paused) return;
    // Set first: paused bytes may arrive before `resume` returns.
    this.paused = paused;
    if (paused) this.producer.pause();
    else this.producer.resume();
  }

  private closed(): void {
    this.share.forget(this.nextTurn);
    this.meter?.closed();
    this.meter = undefined;
    this.whenOver?.();
    this.whenOver = undefined;
  }

  /** Aborts when the body fails. Created on demand, as it is rarely needed. */
  private get gone(): AbortSignal {
    this.aborting ??= new AbortController();
    if (this.failure) this.aborting.abort(this.failure);
    return this.aborting.signal;
  }

  private get held(): number {
    return this.buffered + this.chunks.length * chunkCost;
  }

  private take(): Buffer {
    const taken = this.takePieces();
    return taken.length === 1 ? taken[0]! : joinPieces(taken);
  }

  private takePieces(): Buffer[] {
    let size = 0;
    let count = 0;
    while (count < this.chunks.length && (count === 0 || size + this.chunks[count]!.length <= joinUpTo)) {
      size += this.chunks[count++]!.length;
    }
    const taken = this.chunks.splice(0, count);
    this.buffered -= size;
    this.pauseOrResume();
    return taken;
  }
}

/** A body that is completely in memory. */
export function bodyOf(bytes: Buffer): ReplyBody {
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  if (bytes.length > 0) body.push(bytes);
  body.end();
  return body;
}
