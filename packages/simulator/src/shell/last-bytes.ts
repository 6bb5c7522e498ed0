/** Keeps the end of an endless input, in blocks of one size, however small the received pieces are. */

/** In bytes. */
const blockSize = 64 * 1024;
/** At least this many blocks are held, and at most one more. */
const mostBlocks = 16;

export class LastBytes {
  readonly #full: Buffer[] = [];
  #open: Buffer = Buffer.alloc(blockSize);
  #used = 0;

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + blockSize - this.#used);
      this.#open.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === blockSize) this.#startBlock();
    }
  }

  #startBlock(): void {
    this.#full.push(this.#open);
    this.#open = this.#full.length > mostBlocks ? this.#full.shift()! : Buffer.alloc(blockSize);
    this.#used = 0;
  }

  all(): Buffer {
    return Buffer.concat([...this.#full, this.#open.subarray(0, this.#used)]);
  }
}
