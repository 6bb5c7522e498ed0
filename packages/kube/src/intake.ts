/** What comes on a connection, taken some at a time: nobody holds the event loop (LIMIT-3), and nothing is taken while it is held. */

import type { Duplex } from 'node:stream';

const nothing: Buffer = Buffer.alloc(0);

export class Intake {
  readonly #transport: Duplex;
  readonly #takeSome: (chunk: Buffer) => Buffer;
  /** To be taken in a later turn. */
  #rest = nothing;
  /** Some is being taken, or will be in the next turn. */
  #isBusy = false;
  #isHeld = false;
  #isStopped = false;

  /** `takeSome` returns what it leaves for another turn. */
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

  /** What still comes is dropped. */
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
