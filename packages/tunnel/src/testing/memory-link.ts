/** Two ends of a connection without a socket: unread bytes stay in the process, not first in the kernel. */

import { Duplex } from 'node:stream';

class End extends Duplex {
  other: End | undefined;
  #read: (() => void) | undefined;

  override _read(): void {
    const read = this.#read;
    this.#read = undefined;
    read?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Asynchronous: ssh2 does not expect a reply while it is still writing the request.
    setImmediate(() => {
      if (this.other?.push(chunk)) done();
      else if (this.other) this.other.#read = done;
    });
  }

  override _final(done: () => void): void {
    setImmediate(() => this.other?.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    setImmediate(() => this.other?.destroy());
    done(error);
  }
}

export function memoryLink(): [Duplex, Duplex] {
  const [a, b] = [new End(), new End()];
  a.other = b;
  b.other = a;
  return [a, b];
}
