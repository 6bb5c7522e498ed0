/** A client's stream over SPDY as a Duplex, whose halves end independently. */

import { Duplex } from 'node:stream';
import { ownMemory, pieceCost } from '../unread-piece.ts';

/** In bytes: other streams wait at most for a piece of this size. */
const pieceSize = 16 * 1024;

const highWaterMark = 64 * 1024;

export interface StreamOwner {
  /** How much of `length` the client accepts for this stream now. If nothing, the stream's `onWindow` is called later. */
  allowance(stream: SpdyStream, length: number): number;
  send(stream: SpdyStream, piece: Uint8Array, isLast: boolean, done: (error?: Error) => void): void;
  reply(stream: SpdyStream): void;
  /** Changes the memory that is held in addition to the unread bytes. */
  hold(delta: number): void;
  /** So many of the client's bytes were read. */
  consumed(stream: SpdyStream, length: number): void;
  /** Both sides are done; `isCut` if the client must be sent a reset. */
  forget(stream: SpdyStream, isCut: boolean): void;
}

export class SpdyStream extends Duplex {
  readonly id: number;
  /** Bytes that the client was sent, minus those that it granted in addition to the first window. */
  sent = 0;
  granted = 0;
  /** Read, but not yet reported to the client. */
  unreported = 0;
  readonly #owner: StreamOwner;
  #unread = 0;
  /** The memory overhead of the pieces since the buffer was last empty. */
  #held = 0;
  #isRemoteOver = false;
  #isReset = false;
  #parked: (() => void) | undefined;

  constructor(owner: StreamOwner, id: number) {
    super({ highWaterMark });
    this.#owner = owner;
    this.id = id;
    // Errors reach the writer through its write.
    this.on('error', () => {});
  }

  /** Accepts the stream. */
  reply(): void {
    this.#owner.reply(this);
  }

  /** A piece from the client. */
  receive(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#isRemoteOver || this.destroyed) {
      this.#owner.consumed(this, piece.length);
      return;
    }
    this.#unread += piece.length;
    this.#hold(pieceCost);
    this.push(ownMemory(piece));
    this.#account();
  }

  /** The client sends nothing more. */
  receiveEnd(): void {
    if (this.#isRemoteOver || this.destroyed) return;
    this.#isRemoteOver = true;
    this.push(null);
  }

  /** The client has reset the stream: as in Kubernetes servers, reading ends and writing fails. */
  receiveReset(): void {
    this.#isReset = true;
    this.receiveEnd();
    this.onWindow();
    this.#owner.forget(this, false);
  }

  /** The connection is gone. */
  abandon(): void {
    this.receiveReset();
    this.destroy();
  }

  /** The client has granted more. */
  onWindow(): void {
    const parked = this.#parked;
    this.#parked = undefined;
    parked?.();
  }

  override read(size?: number): Buffer | null {
    const chunk: Buffer | null = super.read(size);
    this.#account();
    return chunk;
  }

  override _read(): void {
    // The client's bytes are pushed as they arrive.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const next = (at: number) => (error?: Error) => {
      if (error || this.#isReset) done(error ?? new Error('the client has reset the stream'));
      else if (at === chunk.length) done();
      else this.#sendSome(chunk, at, next);
    };
    next(0)();
  }

  /** `next` continues at an offset, once the connection or the client accepts more. */
  #sendSome(chunk: Buffer, at: number, next: (at: number) => (error?: Error) => void): void {
    const length = this.#owner.allowance(this, Math.min(pieceSize, chunk.length - at));
    if (length === 0) {
      this.#parked = next(at);
      return;
    }
    this.sent += length;
    this.#owner.send(this, chunk.subarray(at, at + length), false, next(at + length));
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#isReset) done();
    else this.#owner.send(this, Buffer.alloc(0), true, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isOver = this.#isReset || (this.#isRemoteOver && this.writableFinished);
    this.#isReset = true;
    this.#drop();
    this.#owner.forget(this, !isOver);
    this.onWindow();
    done(error);
  }

  #hold(delta: number): void {
    this.#held += delta;
    this.#owner.hold(delta);
  }

  #drop(): void {
    this.#hold(-this.#held);
    this.#owner.consumed(this, this.#unread);
    this.#unread = 0;
  }

  /** Reports as read what has left the buffer. */
  #account(): void {
    const read = this.#unread - this.readableLength;
    if (read <= 0) return;
    if (this.readableLength === 0) this.#hold(-this.#held);
    this.#unread -= read;
    this.#owner.consumed(this, read);
  }
}
