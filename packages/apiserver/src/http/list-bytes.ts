/** Builds a list from the bytes of its items, which are copied once: at once if it is short, otherwise in chunks. */

import { newChunk } from '@fleet/client/chunk-memory.ts';
import { nextTurn } from '@fleet/client/turns.ts';
import type { Listed } from '../registry/list.ts';
import { lengthOf, type Spliced, writeSpliced } from '../registry/stored-object.ts';

/** Small enough not to block the event loop, and a size for which memory is pooled. */
const chunkBytes = 256 * 1024;

const end = ']}\n';

/** A part of a list in one chunk. */
class Chunk {
  #length = 0;
  readonly #parts: { lead: string; item: Spliced }[] = [];

  /** False if the chunk is full. */
  add(lead: string, item: Spliced): boolean {
    const length = this.#length + lead.length + lengthOf(item);
    if (this.#parts.length > 0 && length + end.length > chunkBytes) return false;
    this.#parts.push({ lead, item });
    this.#length = length;
    return true;
  }

  bytes(behind: string): Buffer {
    const bytes = newChunk(this.#length + behind.length);
    let at = 0;
    for (const { lead, item } of this.#parts) {
      at += bytes.write(lead, at, 'latin1');
      at = writeSpliced(item, bytes, at);
    }
    bytes.write(behind, at, 'latin1');
    return bytes;
  }
}

export function listOfSpliced(
  head: object,
  entries: readonly Listed[],
  splice: (entry: Listed) => Spliced,
): Buffer | AsyncGenerator<Buffer> {
  const start = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  if (entries.length === 0) return Buffer.from(`${start}${end}`);
  const chunks = chunksOf(start, entries, splice);
  const { value: first, done } = chunks.next();
  return done ? first : inTurns(first, chunks);
}

/** The last one is returned. */
function* chunksOf(
  start: string,
  entries: readonly Listed[],
  splice: (entry: Listed) => Spliced,
): Generator<Buffer, Buffer> {
  let chunk = new Chunk();
  let lead = start;
  for (const entry of entries) {
    const item = splice(entry);
    if (!chunk.add(lead, item)) {
      yield chunk.bytes('');
      chunk = new Chunk();
      chunk.add(lead, item);
    }
    lead = ',';
  }
  return chunk.bytes(end);
}

/** Yields to the event loop between two chunks. */
async function* inTurns(first: Buffer, chunks: Generator<Buffer, Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (;;) {
    await nextTurn();
    const { value, done } = chunks.next();
    yield value;
    if (done) return;
  }
}
