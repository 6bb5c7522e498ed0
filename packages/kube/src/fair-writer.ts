/** Many writers on one connection, each in its turn. What the other side does not take stays with the writers: nothing piles up. */

import type { Writable } from 'node:stream';

export class FairWriter {
  readonly #transport: Writable;
  #waiting: { bytes: Uint8Array; done(error?: Error): void }[] = [];

  constructor(transport: Writable) {
    this.#transport = transport;
    transport.on('drain', () => this.#flush());
    transport.once('close', () => this.#drop());
  }

  /** `done` when the connection has taken it, and will take more in its turn. */
  write(bytes: Uint8Array, done: (error?: Error) => void): void {
    this.#waiting.push({ bytes, done });
    this.#flush();
  }

  /** Out of turn: for what is small, and what the other side waits for. */
  writeNow(bytes: Uint8Array): void {
    if (!this.isOver) this.#transport.write(bytes);
  }

  /** When the connection takes something again: at once, if it does. */
  whenFree(act: () => void): void {
    this.write(Buffer.alloc(0), act);
  }

  /** Bytes that were written and not taken yet. */
  get unsent(): number {
    return this.#transport.writableLength;
  }

  get isOver(): boolean {
    return this.#transport.destroyed || this.#transport.writableEnded;
  }

  #flush(): void {
    if (this.isOver) this.#drop();
    while (this.#waiting.length > 0 && !this.#transport.writableNeedDrain) {
      const { bytes, done } = this.#waiting.shift()!;
      if (bytes.length > 0) this.#transport.write(bytes);
      done();
    }
  }

  #drop(): void {
    for (const { done } of this.#waiting.splice(0)) done(new Error('the connection is closed'));
  }
}
