/** One stream of a client over SPDY: a Duplex, whose halves end one by one. */

import { Duplex } from 'node:stream';
import { ownMemory, pieceCost } from '../unread-piece.ts';

/** In bytes: no stream keeps others waiting for longer than that takes. */
const pieceSize = 16 * 1024;

const highWaterMark = 64 * 1024;

export interface StreamOwner {
  /** How much of `length` the client takes of this stream now. If nothing, `onWindow` of the stream is called later. */
  allowance(stream: SpdyStream, length: number): number;
  send(stream: SpdyStream, piece: Uint8Array, isLast: boolean, done: (error?: Error) => void): void;
  reply(stream: SpdyStream): void;
  /** So much memory is taken, or given back, beside the bytes that were not read. */
  hold(delta: number): void;
  /** Of what the client sent, so much was read. */
  consumed(stream: SpdyStream, length: number): void;
  /** Over for both sides; `isCut` if the client has to be told. */
  forget(stream: SpdyStream, isCut: boolean): void;
}

export class SpdyStream extends Duplex {
  readonly id: number;
  /** Bytes that the client was sent, and was ready to take beyond the first window. */
  sent = 0;
  granted = 0;
  /** Read, but not yet reported to the client. */
  unreported = 0;
  readonly #owner: StreamOwner;
  #unread = 0;
  /** What the pieces cost that came since all was read. */
  #held = 0;
  #isRemoteOver = false;
  #isReset = false;
  #parked: (() => void) | undefined;

  constructor(owner: StreamOwner, id: number) {
    super({ highWaterMark });
    this.#owner = owner;
    this.id = id;
    // Whoever writes is told by the write.
    this.on('error', () => {});
  }

  /** Accepts it. */
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

  /** The client has reset it: as in kube's servers, that is the end of what it sends, and writing fails. */
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

  /** The client takes more. */
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
    // What the client sends is pushed as it comes.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const next = (at: number) => (error?: Error) => {
      if (error || this.#isReset) done(error ?? new Error('the client has reset the stream'));
      else if (at === chunk.length) done();
      else this.#sendSome(chunk, at, next);
    };
    next(0)();
  }

  /** `next` goes on at a place, once the connection or the client takes more. */
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

  /** What left the buffer was read. */
  #account(): void {
    const read = this.#unread - this.readableLength;
    if (read <= 0) return;
    if (this.readableLength === 0) this.#hold(-this.#held);
    this.#unread -= read;
    this.#owner.consumed(this, read);
  }
}
