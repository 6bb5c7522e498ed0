/** Lets many writers share one connection in turns. Backpressure reaches each writer, so nothing is buffered here. */

import type { Writable } from 'node:stream';

export class FairWriter {
  readonly #transport: Writable;
  #waiting: { bytes: Uint8Array; done(error?: Error): void }[] = [];

  constructor(transport: Writable) {
    this.#transport = transport;
    transport.on('drain', () => this.#flush());
    transport.once('close', () => this.#drop());
  }

  /** Calls `done` when the connection has accepted the bytes and it is this writer's turn again. */
  write(bytes: Uint8Array, done: (error?: Error) => void): void {
    this.#waiting.push({ bytes, done });
    this.#flush();
  }

  /** Writes out of turn: for small frames that the other side waits for. */
  writeNow(bytes: Uint8Array): void {
    if (!this.isOver) this.#transport.write(bytes);
  }

  /** Calls `act` when the connection accepts bytes again: immediately, if it already does. */
  whenFree(act: () => void): void {
    this.write(Buffer.alloc(0), act);
  }

  /** Bytes that were written but not accepted yet. */
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
