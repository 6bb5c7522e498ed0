/** Reads a connection a bounded amount per turn, so that one client does not block the event loop (LIMIT-3), and can be paused. */

import type { Duplex } from 'node:stream';

const nothing: Buffer = Buffer.alloc(0);

export class Intake {
  readonly #transport: Duplex;
  readonly #takeSome: (chunk: Buffer) => Buffer;
  /** Bytes left for a later turn. */
  #rest = nothing;
  /** Bytes are being handled, or will be in the next turn. */
  #isBusy = false;
  #isHeld = false;
  #isStopped = false;

  /** `takeSome` returns the bytes that it leaves for another turn. */
  constructor(transport: Duplex, takeSome: (chunk: Buffer) => Buffer) {
    this.#transport = transport;
    this.#takeSome = takeSome;
    transport.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  hold(): void {
    this.#isHeld = true;
    if (!this.#isStopped) this.#transport.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#continue();
  }

  /** Drops everything that still arrives. */
  stop(): void {
    this.#isStopped = true;
    this.#rest = nothing;
  }

  #take(chunk: Buffer): void {
    if (this.#isStopped) return;
    this.#isBusy = true;
    const rest = this.#takeSome(chunk);
    if (this.#isStopped) return;
    this.#rest = rest;
    if (rest.length > 0) {
      this.#transport.pause();
      setImmediate(() => this.#endTurn());
    } else this.#endTurn();
  }

  #endTurn(): void {
    this.#isBusy = false;
    this.#continue();
  }

  #continue(): void {
    if (this.#isBusy || this.#isHeld || this.#isStopped) return;
    if (this.#rest.length > 0) this.#take(this.#rest);
    else this.#transport.resume();
  }
}
