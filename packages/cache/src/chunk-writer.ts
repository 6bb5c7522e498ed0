/** Collects items in one buffer that belongs to the answer alone, so that it can be transferred to another thread. */

import { giveBack, newChunk, shortened } from '@fleet/client/chunk-memory.ts';

/** In bytes: the first allocation, which most single items fit into. */
const smallest = 8 * 1024;
/** In bytes: a full chunk of a list, with its last item. */
const usual = 288 * 1024;
/** In bytes: smaller buffers would come from a shared pool, and could not be transferred. */
const leastShared = 64 * 1024;

export class ChunkWriter {
  length = 0;
  private memory: Buffer;
  private readonly targetSize: number;
  private readonly ends: number[] = [];
  private readonly names: number[] = [];

  /** `targetSize`: the size to aim at, in bytes. The last item may exceed it. */
  constructor(targetSize: number) {
    this.targetSize = targetSize;
    this.memory = Buffer.allocUnsafeSlow(Math.min(targetSize, smallest));
  }

  get items(): number {
    return this.ends.length;
  }

  get isFull(): boolean {
    return this.length >= this.targetSize;
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

  /** Appends one of the offsets that `item-names` reads. */
  putName(number: number): void {
    this.names.push(number);
  }

  /** The caller owns the chunk, and may give its memory back once nobody reads it any more. */
  finish(): { chunk: Buffer; ends: Uint32Array; names?: Uint32Array } {
    const chunk = shortened(this.memory, this.length);
    const names = this.names.length > 0 ? { names: Uint32Array.from(this.names) } : {};
    return { chunk, ends: Uint32Array.from(this.ends), ...names };
  }

  private need(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.memory.length) return;
    // Most answers reach the target size. It may be far too large for a limit of few items, and is then seldom reached: hence `usual`.
    const likely = Math.min(this.targetSize + this.targetSize / 8, usual);
    const size = Math.max(needed, likely, this.memory.length * 2);
    const grown = size < leastShared ? Buffer.allocUnsafeSlow(size) : newChunk(size);
    this.memory.copy(grown, 0, 0, this.length);
    giveBack(this.memory);
    this.memory = grown;
  }
}
