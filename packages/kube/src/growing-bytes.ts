/** Bytes that come in pieces and are needed in one: bounded, and as cheap for a million pieces of one byte as for one (SEC-2). */

import { type AnswerMemory, defaultObjectLimit, MemoryLease, uncounted, unshared } from './answer-memory.ts';

export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`more than ${limit} bytes where one object was expected`);
  }
}

/** Nothing is wrong with this object but its size, while others of the same server are held. */
export class MemoryTakenError extends TooLargeError {
  override message = 'other answers of this server take the memory that a large object needs';
}

const nothing = Buffer.alloc(0);

/** A generator that nobody reads on, nor ends, releases nothing by itself. */
const forgotten = new FinalizationRegistry<MemoryLease>((lease) => lease.release());

/** Disposed when nobody needs the bytes any more, those included that were taken. */
export class GrowingBytes implements Disposable {
  length = 0;
  private readonly limit: number;
  private readonly shared: AnswerMemory;
  private memory: Buffer = nothing;
  /** Of what grows, and of what was taken: undefined while there is nothing to count. */
  private growing: MemoryLease | undefined;
  private taken: MemoryLease | undefined;

  /** `shared`: what it draws from once it is large. */
  constructor(limit = defaultObjectLimit, shared = unshared) {
    this.limit = limit;
    this.shared = shared;
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
  }

  /** What has come; it is overwritten by what comes next. */
  view(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  /** What has come, which from then on is the caller's. */
  take(): Buffer {
    const taken = this.view();
    this.memory = nothing;
    this.length = 0;
    if (this.growing) {
      this.releaseTaken();
      this.taken = this.growing;
      this.growing = undefined;
    }
    return taken;
  }

  /** Nobody needs any more what was taken. */
  releaseTaken(): void {
    this.taken?.release();
    this.taken = undefined;
  }

  /** Whether it takes memory that others may want. */
  get isLarge(): boolean {
    return this.growing !== undefined || this.taken !== undefined;
  }

  [Symbol.dispose](): void {
    this.drop();
    this.releaseTaken();
  }

  private grow(length: number): void {
    // Twice as much as before, so that each byte is copied twice at the most.
    const size = Math.max(length, Math.min(this.memory.length * 2, this.limit));
    if (size > uncounted) this.draw(size - Math.max(this.memory.length, uncounted));
    const larger = Buffer.allocUnsafe(size);
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
  }

  private draw(bytes: number): void {
    if (!this.growing) {
      this.growing = new MemoryLease(this.shared);
      forgotten.register(this, this.growing);
    }
    if (this.growing.draw(bytes)) return;
    this.drop();
    throw new MemoryTakenError(this.limit);
  }

  private drop(): void {
    this.memory = nothing;
    this.length = 0;
    this.growing?.release();
    this.growing = undefined;
  }
}
