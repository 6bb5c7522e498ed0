/**
 * Pools the memory of chunks that are passed on. Left to the garbage collector, a list of 60 MB caused five collections,
 * which took a third of the list's CPU time.
 */

/** The largest holds two of the chunks that `ReplyBody` joins, with suffixes added. */
const sizes = [64, 128, 256, 640].map((kib) => kib * 1024);
const mostIdle = 48 * 1024 * 1024;
const keptFor = 10_000;

let idle = new Map<number, ArrayBuffer[]>();
let idleBytes = 0;
let forgetting: NodeJS.Timeout | undefined;

/** Lent chunks by identity: a slice of one does not return the memory, as there may be other slices. */
const lent = new WeakSet<Buffer>();

/** Joins the pieces into one chunk. The last consumer may return its memory with `giveBack`. */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const chunk = newChunk(length);
  let at = 0;
  for (const piece of pieces) {
    chunk.set(piece, at);
    at += piece.length;
  }
  return chunk;
}

/** A chunk of this length to be filled. It may contain old bytes. */
export function newChunk(length: number): Buffer {
  const size = length < sizes[0]! / 2 ? undefined : sizes.find((one) => one >= length);
  if (size === undefined) return Buffer.allocUnsafe(length);
  const chunk = Buffer.from(memoryOf(size), 0, length);
  lent.add(chunk);
  return chunk;
}

/** The beginning of a chunk, which replaces it: it can be returned as the whole chunk could. */
export function shortened(chunk: Buffer, length: number): Buffer {
  const part = chunk.subarray(0, length);
  if (lent.delete(chunk)) lent.add(part);
  return part;
}

/** Does nothing for a buffer that is not from the pool, or was returned already. */
export function giveBack(chunk: Buffer): void {
  if (!lent.delete(chunk)) return;
  const memory = chunk.buffer as ArrayBuffer;
  if (idleBytes + memory.byteLength > mostIdle) return;
  idleBytes += memory.byteLength;
  const alike = idle.get(memory.byteLength) ?? [];
  alike.push(memory);
  idle.set(memory.byteLength, alike);
  forgetting ??= setTimeout(forget, keptFor).unref();
  forgetting.refresh();
}

function memoryOf(size: number): ArrayBuffer {
  const memory = idle.get(size)?.pop();
  if (!memory) return Buffer.allocUnsafeSlow(size).buffer;
  idleBytes -= size;
  return memory;
}

function forget(): void {
  idle = new Map();
  idleBytes = 0;
  forgetting = undefined;
}
