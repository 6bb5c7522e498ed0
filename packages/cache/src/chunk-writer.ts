/** Collects items in one buffer that belongs to the answer alone, so that it can be transferred to another thread. */

/** Where even a small answer begins: most items are smaller. */
const smallest = 8 * 1024;
const usual = 288 * 1024;

export class ChunkWriter {
  length = 0;
  private memory: Buffer;
  private readonly wanted: number;
  private readonly ends: number[] = [];

  /** `wanted`: about how many bytes it is to have. */
  constructor(wanted: number) {
    this.wanted = wanted;
    this.memory = Buffer.allocUnsafeSlow(Math.min(wanted, smallest));
  }

  get items(): number {
    return this.ends.length;
  }

  get isFull(): boolean {
    return this.length >= this.wanted;
  }

  copy(source: Buffer, start: number, end: number): void {
    this.need(end - start);
    this.length += source.copy(this.memory, this.length, start, end);
  }

  text(text: string): void {
    this.need(text.length * 3);
    this.length += this.memory.write(text, this.length);
  }

  endItem(): void {
    this.ends.push(this.length);
  }

  finish(): { chunk: Uint8Array; ends: Uint32Array } {
    return { chunk: this.memory.subarray(0, this.length), ends: Uint32Array.from(this.ends) };
  }

  private need(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.memory.length) return;
    // Most answers are about as large as they may be; a page of few items may be much larger, and seldom is.
    const likely = Math.min(this.wanted + this.wanted / 8, usual);
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, likely, this.memory.length * 2));
    this.memory.copy(grown, 0, 0, this.length);
    this.memory = grown;
  }
}
