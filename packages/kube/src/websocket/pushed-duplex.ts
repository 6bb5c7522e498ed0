/** A Duplex whose input is pushed into it, with backpressure by memory, not only by bytes (SEC-2). */

import { Duplex, type DuplexOptions } from 'node:stream';
import { pieceCost } from '../unread-piece.ts';

/** In bytes. */
const mostUnread = 64 * 1024;

export interface Flow {
  /** Its buffer is full. */
  pause(): void;
  resume(): void;
}

export class PushedDuplex extends Duplex {
  readonly #flow: Flow;
  /** The memory overhead of the pieces since the buffer was last empty. */
  #held = 0;
  #isFull = false;

  constructor(flow: Flow, options: Pick<DuplexOptions, 'write' | 'final' | 'destroy'>) {
    super(options);
    this.#flow = flow;
  }

  receive(piece: Buffer): void {
    if (this.destroyed || this.readableEnded || piece.length === 0) return;
    this.#held += pieceCost;
    this.push(piece);
    if (this.readableLength === 0) this.#held = 0;
    else if (!this.#isFull && this.readableLength + this.#held >= mostUnread) {
      this.#isFull = true;
      this.#flow.pause();
    }
  }

  override read(size?: number): Buffer | null {
    const chunk: Buffer | null = super.read(size);
    if (this.readableLength === 0) this.#empty();
    return chunk;
  }

  override _read(): void {
    // Input is pushed.
  }

  /** It is no longer read, so it must not block the other channels. */
  override destroy(error?: Error): this {
    super.destroy(error);
    this.#empty();
    return this;
  }

  #empty(): void {
    this.#held = 0;
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#flow.resume();
  }
}
