/**
 * Memory for chunks of bytes on their way, used again. Left to the collector, a list of 60 MB made it run five times,
 * which took a third of the list's CPU time.
 */

/** The largest holds two of what `ReplyBody` joins, with suffixes put in. */
const sizes = [64, 128, 256, 640].map((kib) => kib * 1024);
const mostIdle = 48 * 1024 * 1024;
const keptFor = 10_000;

let idle = new Map<number, ArrayBuffer[]>();
let idleBytes = 0;
let forgetting: NodeJS.Timeout | undefined;

/** By the very chunk: a part of one gives nothing back, as there may be other parts. */
const lent = new WeakSet<Buffer>();

/** The pieces in one chunk. Whoever knows that nobody looks at it any more may give it back. */
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

/** One of this length to be filled. It may hold what others wrote. */
export function newChunk(length: number): Buffer {
  const size = length < sizes[0]! / 2 ? undefined : sizes.find((one) => one >= length);
  if (size === undefined) return Buffer.allocUnsafe(length);
  const chunk = Buffer.from(memoryOf(size), 0, length);
  lent.add(chunk);
  return chunk;
}

/** Its beginning, in its place: it can be given back as the whole could. */
export function shortened(chunk: Buffer, length: number): Buffer {
  const part = chunk.subarray(0, length);
  if (lent.delete(chunk)) lent.add(part);
  return part;
}

/** Harmless for what came from elsewhere, and for what was given back before. */
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
