/** The body of a reply as it arrives: bytes with backpressure, small reads joined into larger ones. */

// By name: a test that stands still in time still reads bodies.
import { setImmediate } from 'node:timers';
import { type AnswerMemory, small, unshared } from '@fleet/kube/answer-memory.ts';
import { GrowingBytes } from '@fleet/kube/growing-bytes.ts';
import { joinPieces } from './chunk-memory.ts';
import { TurnShare } from './turn-share.ts';

/** What produces the bytes, so that a reader can hold it up or give up. */
export interface BodyProducer {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Told how much has come, and of the end, however it came. */
export interface BodyMeter {
  came(bytes: number): void;
  closed(): void;
}

const highWater = 512 * 1024;
const joinUpTo = 256 * 1024;
/** What a chunk takes beside its bytes: a server may send them one by one. */
const chunkCost = 256;

export class ReplyBody implements AsyncIterable<Buffer> {
  /** What may be held of it (SEC-2). */
  readonly memory: AnswerMemory;
  private readonly producer: BodyProducer;
  private readonly share: TurnShare;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private paused = false;
  /** For the next turn of the event loop. */
  private waits = false;
  private ended = false;
  private failure: Error | undefined;
  private aborting: AbortController | undefined;
  private wake: (() => void) | undefined;
  private received = 0;
  private meter: BodyMeter | undefined;
  private whenOver: (() => void) | undefined;

  /** Answers of the same server have one share of each turn of the event loop. */
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

  /** Told once, when the last byte has come or none will, however that came about. One can be told. */
  whenClosed(told: () => void): void {
    if (this.ended || this.failure) told();
    else this.whenOver = told;
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

  /** Gives up the rest. Harmless after the end. */
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

  /** Instead of reading it: told whenever something has come, or nothing more will. */
  onArrival(told: () => void): void {
    this.wake = told;
    told();
  }

  /** What has come, some of it if that is much; nothing if nothing has. */
  arrived(): Buffer[] {
    return this.chunks.length > 0 ? this.takePieces() : [];
  }

  /** Nothing is left, and nothing more will come. Throws if it broke off. */
  isOver(): boolean {
    if (this.chunks.length > 0) return false;
    if (this.failure) throw this.failure;
    return this.ended;
  }

  /** All of it, if it is here already: small answers come with their head, and so can go on in one write with it. */
  whole(): Buffer | undefined {
    if (!this.ended || this.failure || this.buffered === 0 || this.buffered > joinUpTo) return undefined;
    return this.take();
  }

  /** The whole body of what is no answer, of which nobody needs so much that it would have to wait for memory. */
  refusal(): Promise<Buffer> {
    return this.bytes(Math.min(small, this.memory.objectLimit));
  }

  /** The whole body, for answers known to be small, or parsed at once. Throws above `limit`, and gives up the rest. */
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
   * Resolves at the end of the turn of the event loop in which something came: TLS gives records of 16 KiB one by one,
   * and many come in one turn. Taking each by itself cost more than what was done with it.
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
    // First: what was held up may arrive before `resume` returns.
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

  /** Aborted when it breaks off. Made when somebody asks for it, as few do. */
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

/** A body that is already here. */
export function bodyOf(bytes: Buffer): ReplyBody {
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  if (bytes.length > 0) body.push(bytes);
  body.end();
  return body;
}
