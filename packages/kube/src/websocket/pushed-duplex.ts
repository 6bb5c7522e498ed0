/** A Duplex whose input is pushed into it as it comes, and which says when it has enough: in memory, not only in bytes (SEC-2). */

import { Duplex, type DuplexOptions } from 'node:stream';
import { pieceCost } from '../unread-piece.ts';

/** In bytes. */
const mostUnread = 64 * 1024;

export interface Flow {
  /** Nothing more for now. */
  pause(): void;
  resume(): void;
}

export class PushedDuplex extends Duplex {
  readonly #flow: Flow;
  /** What the pieces cost that came since all was read. */
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
    // What comes is pushed.
  }

  /** Nobody reads it any more: others wait for nothing. */
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
