/** Joins chunks into one contiguous buffer: bounded, and at the same cost for a million chunks of one byte as for one (SEC-2). */

import { type AnswerLease, defaultObjectLimit, small } from './answer-memory.ts';

export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`more than ${limit} bytes in one object`);
  }
}

const nothing = Buffer.alloc(0);

/** Disposed when the bytes are no longer needed, including those that were taken. */
export class GrowingBytes implements Disposable {
  length = 0;
  private readonly limit: number;
  private readonly lease: AnswerLease | undefined;
  private memory: Buffer = nothing;
  private isTakenLarge = false;

  /** `lease` is of the response that the bytes belong to. Whoever appends awaits its `admitted`. */
  constructor(limit = defaultObjectLimit, lease?: AnswerLease) {
    this.limit = limit;
    this.lease = lease;
  }

  /** Wraps an existing buffer without a copy. Nothing can be appended to it. */
  static of(bytes: Buffer): GrowingBytes {
    const whole = new GrowingBytes(bytes.length);
    whole.memory = bytes;
    whole.length = bytes.length;
    return whole;
  }

  append(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > this.limit) {
      this.drop();
      throw new TooLargeError(this.limit);
    }
    if (length > this.memory.length) this.grow(length);
    piece.copy(this.memory, this.length);
    this.length = length;
    if (length > small) this.count();
  }

  /** The bytes so far; the next append overwrites them. */
  view(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  /** Returns the bytes so far; they belong to the caller from then on. */
  take(): Buffer {
    const taken = this.view();
    this.isTakenLarge ||= this.length > small;
    this.memory = nothing;
    this.length = 0;
    return taken;
  }

  /** The taken bytes are no longer needed. */
  releaseTaken(): void {
    this.isTakenLarge = false;
    this.count();
  }

  /** Whether it holds memory that others may wait for. */
  get isLarge(): boolean {
    return this.isTakenLarge || this.length > small;
  }

  [Symbol.dispose](): void {
    this.drop();
    this.releaseTaken();
  }

  private grow(length: number): void {
    // Doubled, so that growing copies each byte about once on average, but never beyond the memory that needs no slot.
    const most = length <= small || this.lease?.isHeld === false ? Math.min(small, this.limit) : this.limit;
    const size = Math.max(length, Math.min(this.memory.length * 2, most));
    const larger = Buffer.allocUnsafe(size);
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
  }

  private drop(): void {
    this.memory = nothing;
    this.length = 0;
    this.count();
  }

  private count(): void {
    this.lease?.hold(this, this.isLarge);
  }
}
