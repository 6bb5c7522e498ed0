/**
 * Wraps an ssh2 channel as a stream, and uses only its packets. ssh2's own stream does not notice a window overrun, buffers up to 4 MiB
 * in pieces as small as the other side makes them, has no half-close on the server, and does not complete a write after the end.
 */

import { Duplex } from 'node:stream';
import type { Channel } from 'ssh2';
import type { UnreadBudget, UnreadStream } from '../unread-budget.ts';
import type { TransportGuard } from './transport-guard.ts';

/** Unread bytes are copied into blocks: many small packets would take many times their size. */
const blockSize = 64 * 1024;
/** With more unread bytes than this, no new window of 2 MiB is granted: a stalled reader holds 3 MiB (AGENT-7 allows 4). */
const grantBelow = 1024 * 1024;
/** Written before the socket is checked again; also the largest packet that every ssh implementation accepts. */
const pieceSize = 32 * 1024;
/** ssh2 loops forever if packets may hold nothing, and sends one packet per byte if they may hold one. */
const smallestPacket = 1024;

export interface ChannelContext {
  guard: TransportGuard;
  budget: UnreadBudget;
  /** The other side violated the protocol: closes the connection. */
  violated(what: string): void;
}

/** Undefined if its packets are too small to write to; then the connection is closed. */
export function streamOf(channel: Channel, context: ChannelContext): ChannelStream | undefined {
  if (channel.outgoing.packetSize < smallestPacket) {
    context.violated('packets too small');
    return undefined;
  }
  channel.outgoing.packetSize = Math.min(channel.outgoing.packetSize, pieceSize);
  return new ChannelStream(channel, context);
}

export class ChannelStream extends Duplex implements UnreadStream {
  readonly #channel: Channel;
  readonly #context: ChannelContext;
  readonly #blocks: Buffer[] = [];
  /** Used bytes of the last block. */
  #filled = 0;
  #unread = 0;
  #isReading = false;
  #hasEnded = false;
  #isClosed = false;
  #resumeWrite: (() => void) | undefined;

  constructor(channel: Channel, context: ChannelContext) {
    // One piece at a time is pushed; the others wait in the blocks.
    super({ readableHighWaterMark: 1, writableHighWaterMark: blockSize });
    this.#channel = channel;
    this.#context = context;
    // ssh2 silently drops what arrives when the window is 0. One more than the other side has, it is never 0.
    channel.incoming.window++;
    context.budget.enter(this);
    const push = channel.push.bind(channel);
    // False: no window is granted before `channel.read` below.
    channel.push = (piece: Buffer | null) => (piece === null ? this.#ended(push) : this.#received(piece));
    channel.stderr.push = (piece: Buffer | null) => {
      if (piece !== null) context.violated('extended data');
      return false;
    };
    channel.on('error', (error) => this.destroy(error));
    channel.on('close', () => this.#closed());
    // Nothing is pushed into stderr but its end, which it has to emit.
    channel.resume();
    // The user of the stream adds its own listener a moment later; until then an error must not end the process.
    this.on('error', () => {});
  }

  get unread(): number {
    return this.#unread;
  }

  cut(): void {
    this.destroy(Object.assign(new Error('too many unread bytes of one cluster'), { code: 'ECONNABORTED' }));
  }

  override _read(): void {
    this.#isReading = true;
    this.#deliver();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    // Not `end`: on the server ssh2 would close the channel with it.
    this.#quietly(() => this.#channel.eof());
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { guard, budget } = this.#context;
    if (this.#resumeWrite) guard.forget(this.#resumeWrite);
    this.#blocks.length = 0;
    this.#change(-this.#unread);
    budget.leave(this);
    this.#quietly(() => this.#channel.close());
    done(error);
  }

  #received(piece: Buffer): false {
    const { violated, guard } = this.#context;
    if (this.#channel.incoming.window < 1) violated('window overrun');
    else if (this.#hasEnded) violated('data after the end');
    else if (!this.destroyed && piece.length > 0) {
      guard.bytesIn += piece.length;
      if (this.#isReading && this.#unread === 0) {
        this.#isReading = false;
        this.push(piece);
        this.#grant();
      } else this.#store(piece);
    }
    return false;
  }

  #store(piece: Buffer): void {
    for (let from = 0; from < piece.length; ) {
      let block = this.#blocks.at(-1);
      if (!block || this.#filled === blockSize) {
        block = Buffer.allocUnsafeSlow(blockSize);
        this.#blocks.push(block);
        this.#filled = 0;
      }
      const copied = piece.copy(block, this.#filled, from);
      this.#filled += copied;
      from += copied;
    }
    this.#change(piece.length);
    this.#deliver();
  }

  #deliver(): void {
    if (!this.#isReading || this.destroyed) return;
    const block = this.#blocks.shift();
    if (block) {
      const piece = this.#blocks.length > 0 ? block : block.subarray(0, this.#filled);
      this.#isReading = false;
      this.#change(-piece.length);
      this.push(piece);
      this.#grant();
    } else if (this.#hasEnded) this.push(null);
  }

  #change(bytes: number): void {
    this.#unread += bytes;
    this.#context.budget.change(bytes);
  }

  /** ssh2 sends a window adjustment if it is due. */
  #grant(): void {
    if (this.#unread < grantBelow) this.#quietly(() => this.#channel._read(0));
  }

  #ended(push: Channel['push']): boolean {
    const isAborted = this.#channel.incoming.state === 'closed' && !this.#hasEnded;
    if (isAborted) this.destroy(Object.assign(new Error('channel closed by the other side'), { code: 'ECONNRESET' }));
    this.#hasEnded = true;
    if (this.#unread === 0) this.#deliver();
    return push(null);
  }

  /** Both sides have closed it. Bytes that arrived before can still be read. */
  #closed(): void {
    this.#isClosed = true;
    if (this.readableEnded || this.destroyed) this.destroy();
    else this.once('end', () => this.destroy());
    this.#resumeWrite?.();
  }

  #send(chunk: Buffer, done: (error?: Error | null) => void): void {
    const { guard } = this.#context;
    // As with a socket whose other side is gone: the response that it sent before matters more than an error.
    if (this.#isClosed || this.destroyed) done();
    else if (guard.canWrite) this.#sendNow(chunk, done);
    else {
      this.#resumeWrite = () => {
        this.#resumeWrite = undefined;
        this.#send(chunk, done);
      };
      guard.wait(this.#resumeWrite);
    }
  }

  #sendNow(chunk: Buffer, done: (error?: Error | null) => void): void {
    const { guard } = this.#context;
    const piece = chunk.length > pieceSize ? chunk.subarray(0, pieceSize) : chunk;
    this.#quietly(() => {
      guard.cork();
      guard.wrote(piece.length);
      this.#channel.write(piece, () => {
        if (piece === chunk) done();
        else this.#send(chunk.subarray(pieceSize), done);
      });
    });
  }

  /** ssh2 throws if the connection is gone; that error destroys this stream. */
  #quietly(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!this.destroyed) this.destroy(error as Error);
    }
  }
}
