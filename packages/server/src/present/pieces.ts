/** Collects parts of buffers for one chunk, as offsets: a Buffer object for each part would cost more than its bytes. */

import { giveBack, newChunk } from '@fleet/client/chunk-memory.ts';
import type { Insertion } from './marking.ts';

export class Pieces {
  size = 0;
  private sources: Buffer[] = [];
  /** The beginning and end of each part in its source. */
  private spans: number[] = [];
  private spent: Buffer[] = [];

  add(source: Buffer, start = 0, end = source.length): void {
    this.sources.push(source);
    this.spans.push(start, end);
    this.size += end - start;
  }

  /** The bytes with the insertions, which are sorted. */
  splice(bytes: Buffer, insertions: readonly Insertion[]): void {
    let from = 0;
    for (const { at, end = at, bytes: inserted } of insertions) {
      this.add(bytes, from, at);
      this.add(inserted);
      from = end;
    }
    this.add(bytes, from);
  }

  /** Memory that can be released once the parts that were cut from it were copied. */
  cutFrom(memory: Buffer): void {
    this.spent.push(memory);
  }

  /** All parts as one chunk. Afterwards there are none. */
  gather(): Buffer {
    const { sources, spans, spent } = this;
    const chunk = newChunk(this.size);
    let at = 0;
    for (const [index, source] of sources.entries()) {
      at += source.copy(chunk, at, spans[2 * index]!, spans[2 * index + 1]!);
    }
    for (const memory of spent) giveBack(memory);
    [this.sources, this.spans, this.spent, this.size] = [[], [], [], 0];
    return chunk;
  }
}
